"""The table behind `kinds`: which wire names and label endings show which kind, strongest evidence first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from edge.specs.model import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind with the wire names and label endings that show it, in the order they are tried."""

    kind: Kind
    name: re.Pattern[str] | None
    label: re.Pattern[str] | None


def _rule(kind: Kind, name: str = "", label: str = "") -> Rule:
    return Rule(kind, re.compile(name) if name else None, re.compile(label, re.I) if label else None)


def _last(camel: str, lower: str) -> str:
    """Match a wire name's last word: capitalised after a small letter (sidoCd), or alone or after "_" (SIDO_CD)."""
    return rf"(?:(?<![A-Z])(?:{camel})|(?:^|_)(?i:{lower}|{camel}))\d*$"


_PROJECTION = r"(?<![a-z])(?:tm|utm|utm-?k|5174|5179|5181|5186|grs80|katech?|중부원점)"

# What a field is for sure, whatever else its name holds. Read before everything.
FIRST: Final = (
    _rule("number", "",
          r"(소요|통행|재생|대기|남은|잔여|경과|지연|이동|체류|수행)\s?시간$|배차\s?간격|(^|남은\s?)초$|평균[가-힣]*(?<!요)일$"),
    _rule("text", "",
          r"명\s?[/·]\s?(번호|코드)$|(번호|코드)\s?[/·]\s?[가-힣]*명$|쉬는\s?날|(휴무|휴관|휴점|정기휴)일$"),
    _rule("flag", _last("Yn|YN|At|Flag", "yn|flag") + r"|[a-z]{3,}yn$", r"(여부|유무)$"),
    _rule("text", r"(?i)e_?mail|(?<!ho)(?<!mo)tel_?no|fax_?no|(?:^|_)(?:tel|fax|phn)(?:_|no$|$)|phone"
          r"|(?-i:(?<=[a-z])(?:Tel|Fax)$)",
          r"(전화|전화번호|연락처|팩스|팩스번호|휴대폰|휴대전화|휴대폰번호|이메일|이메일주소|메일|fax|tel)\d*$"),
    _rule("url", r"(?i)(?:url|uri|homepage|hmpg|link)\d*$|^thumb|imge?\d*$|image(?:url)?\d*$",
          r"(url|uri|홈페이지|홈페이지\s?주소|링크|링크\s?주소|누리집|이미지|썸네일|파일\s?경로)\d*$"),
    _rule("number", r"(?i)^(?:page(?:_?no|_?num|_?size)?|per_?page|p_?index|p_?size|num_?of_?rows?)$",
          r"^(한\s?|조회될\s?)?페이지|^쪽\s?번호"),
    _rule("grid", r"^(?i:n[xy]|grid_?[xy])$", r"격자\s*[xy]|예보지점\s*[xy]"),
    _rule("longitude", "", r"(경도|longitude)\s?(값|좌표)?$"),
    _rule("latitude", "", r"(위도|latitude)\s?(값|좌표)?$"),
)  # fmt: skip

# Read on the whole label, brackets included, after the degrees above: "출입구 X(UTM-K)", "주소(시도)".
BRACKETED: Final = (
    _rule("name", "", r"\((시도|시군구|구시군|읍면동)\)\s*$"),
    _rule("text", "", r"기간\s*$"),
    _rule("month", "", r"(^|[\s_]|시작|종료|조회|측정|계약|발주|집행|회계|결산|기준|공고|현황|모집)월\s*(\(.*)?$"),
    _rule("projected_x", r"(?i)^(?:tm_?x|x_?tm|utmk_?x|katec_?x|grs80_?x)$",
          rf"(?=.*{_PROJECTION})(?=.*(\bx\b|\bx\s?좌표|_x|동향))(?!.*y)"),
    _rule("projected_y", r"(?i)^(?:tm_?y|y_?tm|utmk_?y|katec_?y|grs80_?y)$",
          rf"(?=.*{_PROJECTION})(?=.*(\by\b|\by\s?좌표|_y|북향))(?!.*x)"),
)  # fmt: skip

# Syllables before 명, 수 and 일 that make another word of it: 설명, 점수, 요일.
_NOT_NAME = "설증발문수생조소투규해운변분"
_NOT_COUNT = "지점접차이매교특필우감변상하용폐홍호회계실분치징준보복단선장함순서척배급누잠산대"
_NOT_DAY = "요휴파메단매과제평종일타레마동유독통네"

# What the wire name ends in, then what the label ends in.
ENDINGS: Final = (
    _rule("name", _last("Nm|Name|nm|NM|Nam", "nm|name|nam"),
          rf"명칭$|이름$|성명$|상호$|(?<=[가-힣a-z\s])(?<![{_NOT_NAME}])명\d*$|[가-힣]{{2}}소명$|(구분|성분|논문|교수|선수)명$"),
    _rule("code", _last("Cd|Code|Id|ID|No|Seq|Sn|Key|Cls", "cd|code|id|no|seq|sn|idx_no|mst|isin")
          + r"|(?:code|cd|isin|hpid|ykiho|pnu)$|(?i:_(?:code|cd)_se)$",
          r"(코드|번호|아이디|\bid|기호|식별자|식별키|코드값|[가-힣]id|순번|isin|본번|부번|(인증|식별|고유|암호화)\s?값)\d*$"),
    _rule("datetime", _last("Dttm|DateTime|Dtm|Dtime|TmFc", "dttm|datetime|tmfc"),
          r"(일시|일시분|(?<!개\s)시점|일자시간)$"),
    _rule("month", _last("Ym|YM|Yymm|Yyyymm|Mt", "ym|yymm|yyyymm") + r"|(?<=[a-z])Mm$|(?i:month)$",
          r"(연월|년월|기준월|결산월|계약월)$"),
    _rule("year", _last("Year|Yr|Yy|Yyyy|Yea", "year|yr|yy|yyyy|fyr|ay"),
          r"(연도|년도|년도\s?값|(발행|출판|제작|생산|설립|졸업|계약|건축|준공|설치|기준|조회|인쇄|배포)년)$"),
    _rule("date", _last("Dt|De|Ymd|Date|Dd|Day|Yd", "dt|de|ymd|date|yyyymmdd") + r"|[a-z]ymd$|date$",
          rf"(일자|날짜|년월일|연월일|(?<![{_NOT_DAY}])일|현재\s?기준)$"),
    _rule("time", _last("Hhmm|Hm|Time|Tme", "hhmm|hm|time") + r"|Time\d[a-z]$|(?<=[a-z])Hh$", r"(시각)$"),
    _rule("count", _last("Cnt|Count|Qty|Co|Tnope", "cnt|count|qty|totqy|tcnt") + r"|[a-z]{3}cnt$",
          rf"(건수|개수|인원수|갯수|횟수|명수|인원|(?<![강취송용방담])수량|(객|병|교|침)실\s?수|(병상|욕조)\s?수|(?<![{_NOT_COUNT}])수)$"),
    _rule("amount", _last("Amt|Amount|Price|Prce|Prc|Cost|Fee|Charge|Bdgt|Uprc", "amt|amount|price|prc|cost|fee"),
          r"(금액|가격|요금|비용|원가|단가|예산|매출|(?<![자재의원치연음완만종무유식진사비])료|매출액|이익|순이익|자산|부채|자본|자본금|보증금|자금|원금|세금|기금|상금|잔금|임금|보조금|지원금|출연금|부담금|계약금|융자금|벌금|과징금|월세|임대료|급여|(자산|부채|자본)총계|"
          r"수수료|대금|액|시가|종가|고가|저가|보수|총액)$"),
    _rule("address", _last("Addr|Address|Adres|Adrs|Adr", "addr|address|adres|adrs|adr"),
          r"((?<!이메일)(?<!메일)(?<!ip)(?<!홈페이지)주소|소재지)$"),
)  # fmt: skip

# Weaker: read only when nothing above matched.
WEAK: Final = (
    _rule("name", "", r"^(시도|시·도|시군구|구군|읍면동|법정동|행정동|시군|자치구|지역|시/도)$|"
          r"(기관|지역|호선|위원회|정당|학교|대학|병원|업체|회사|도서관|법인|노선)$|(?:^|출발|도착|종착|시발|지하철|전철)역$"),
    _rule("time", "", r"시간(_[가-힣]+)?\s?[a-z]?$"),
    _rule("longitude", r"(?i)(?:^|_|wgs84|gps|map)(?:lon|lng|long|longitude|lo|lot)$|^(?:map|gps|x)_?x$|^x_?pos$"
          r"|^(?i:pos_?x)$|Lon$|Lng$|Longitude$|^x$|^gpslong", r"^x\s?좌표(값)?$|좌표정보\s?x$|좌표\s?x$"),
    _rule("latitude", r"(?i)(?:^|_|wgs84|gps|map)(?:lat|latitude|lati|la)$|^(?:map|gps|y)_?y$|^y_?pos$|^pos_?y$"
          r"|Lat$|Latitude$|^y$|^gpslati", r"^y\s?좌표(값)?$|좌표정보\s?y$|좌표\s?y$"),
    _rule("number", _last("Rate|Rt|Ratio|Rto|Avg|Value|Val|Area|Ar|Dist|Distance|Idx|Rank|Num|Age|Radius",
                          "rate|rt|ratio|avg|value|val|area|dist|distance|idx|rank|num|age|radius"),
          r"(비율|율|률|농도|지수|계수|수치|확률|수온|체온|유속|탁도|전도도|염분|혈압|포화도|파고|깊이|무게|중량|용량|속도|수위|강수|혈당|점수|면적|거리|높이|길이|온도|기온|습도|풍속|풍향|강수량|순위|평균|합계|비중|량|값|"
          r"퍼센트|반경|등급|차수|대수|학년|연령|나이|층|층수|정원)$"),
    _rule("text", _last("Cn|Rmk|Desc|Content|Contents|Cont|Memo|Rm|Msg|Ctnt", "cn|rmk|desc|contents?|memo|rm|msg"),
          r"(내용|설명|비고|사유|개요|상세|제목|메시지|메세지|장소|방법|(?<!관한\s)사항|검색어|질의어)$"),
)  # fmt: skip
