"""Requests whose needs are known: numbers -> rows with plan, arguments, operator and a truth id, to measure dedup on.

A need is what is asked (one to four intents with their values) and what is done with the records (operator). Of each
need there are a first wording and, by chance, copies of five kinds:

`exact`    the same text in other code points: decomposed Hangul, spaces, invisible characters
`surface`  another ending, politeness, date format
`para`     other words in another order
`slot`     one value swapped: another need that looks almost the same
`operator` another operator: another need with the same plan and arguments

Of the copies that repeat a need about a quarter are `exact`, half `surface` and a fifth `para`, as in the measurements
that the thresholds rest on. The texts are templated on purpose, which is the worst case: what a model writes lies
further apart. That plan and arguments settle nearly everything is true by construction here; it is also how the
pipeline's own rows are made.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

# ruff: noqa: E501
# tool | three ways to say what is asked for; {r} a region, {d} a month, {x} something named
INTENTS = """
apt_trades|{r}의 {d} 아파트 매매 실거래가|{d}에 {r}에서 팔린 아파트 거래 금액|{r} 지역 아파트가 {d} 동안 얼마에 매매되었는지
apt_rents|{r}의 {d} 아파트 전월세 보증금|{d}에 {r}에서 계약된 아파트 임대 보증금|{r} 쪽 아파트 세입자들이 {d}에 낸 보증금 규모
villa_trades|{r}의 {d} 연립다세대 매매가|{d}에 {r}에서 거래된 빌라 가격|{r} 빌라가 {d} 한 달간 얼마에 팔렸는지
office_trades|{r}의 {d} 오피스텔 매매 실거래가|{d}에 {r}에서 신고된 오피스텔 거래액|{r} 소재 오피스텔이 {d}에 팔린 금액
land_prices|{r}의 {d} 토지 거래 금액|{d}에 {r}에서 신고된 땅값|{r} 일대 땅이 {d}에 거래된 액수
shop_trades|{r}의 {d} 상업용 건물 매매가|{d}에 {r}에서 팔린 상가 금액|{r} 상가 건물이 {d} 중 거래된 가격
air_station|{r}의 {d} 측정소별 미세먼지 농도|{d}에 {r} 측정소들이 잰 먼지 수치|{r} 공기 중 미세먼지가 {d}에 얼마나 나왔는지
air_ozone|{r}의 {d} 측정소별 오존 농도|{d}에 {r}에서 관측된 오존 수치|{r} 하늘의 오존이 {d}에 어느 정도였는지
weather_rain|{r}의 {d} 일별 강수량|{d}에 {r}에 내린 비의 양|{r} 하늘에서 {d} 동안 비가 얼마나 왔는지
weather_temp|{r}의 {d} 일별 최고기온|{d}에 {r}에서 기록된 낮 기온|{r} 날씨가 {d}에 어디까지 더웠는지
weather_wind|{r}의 {d} 순간 최대풍속|{d}에 {r}에서 분 바람의 세기|{r} 바람이 {d}에 얼마나 거셌는지
water_quality|{r}의 {d} 하천 수질 측정값|{d}에 {r} 강물에서 나온 오염도|{r}을 흐르는 물이 {d}에 얼마나 깨끗했는지
bus_riders|{r}의 {d} 버스 정류장별 승차 인원|{d}에 {r} 정류장에서 탄 사람 수|{r} 버스를 {d}에 이용한 승객 규모
subway_riders|{r}의 {d} 지하철역별 하차 인원|{d}에 {r} 역에서 내린 사람 수|{r} 지하철 손님이 {d}에 얼마나 많았는지
accidents|{r}의 {d} 교통사고 발생 현황|{d}에 {r}에서 일어난 차량 사고|{r} 도로에서 {d} 동안 난 사고 기록
parking|{r}의 {d} 공영주차장 이용 대수|{d}에 {r} 공영주차장에 세운 차량|{r} 시영 주차 시설이 {d}에 얼마나 쓰였는지
road_speed|{r}의 {d} 간선도로 통행 속도|{d}에 {r} 큰길에서 측정된 차량 속도|{r} 주요 도로가 {d}에 얼마나 막혔는지
bike_rents|{r}의 {d} 공공자전거 대여 건수|{d}에 {r}에서 빌린 자전거 기록|{r} 따릉이가 {d} 동안 몇 번 나갔는지
hospitals|{r}에서 {d} 기준 {x} 진료를 보는 병원|{d} 현재 {r}에 있는 {x} 의료기관|{r} 안에서 {x} 환자를 {d}에 받는 곳
pharmacies|{r}에서 {d} 기준 {x} 이름의 약국|{d} 현재 {r}에서 영업하는 {x} 약국|{x}이라는 약국이 {r}에 {d}에도 있는지
vaccines|{r}의 {d} {x} 예방접종 실적|{d}에 {r} 보건소가 놓은 {x} 주사|{r} 주민이 {d}에 맞은 {x} 백신 기록
emergency|{r}의 {d} 응급실 병상 현황|{d}에 {r} 응급의료센터에 남은 침상|{r} 급한 환자를 {d}에 받을 자리
drug_reports|{r}의 {d} {x} 의약품 이상사례|{d}에 {r}에서 보고된 {x} 부작용|{x} 약을 먹고 {r}에서 {d}에 탈이 난 신고
food_checks|{r}의 {d} {x} 위생 점검 결과|{d}에 {r}에서 실시한 {x} 위생 검사|{x} 업소들이 {r}에서 {d}에 받은 단속 기록
schools|{r}의 {d} {x} 학생 수|{d} 기준 {r} {x}에 다니는 아이들|{r} 관내 {x} 재적 인원이 {d}에 어땠는지
school_meals|{r} {x}의 {d} 급식 식단|{d}에 {r} {x}에서 나온 점심 메뉴|{r}에 있는 {x} 아이들이 {d}에 먹은 음식
academies|{r}의 {d} {x} 학원 등록 현황|{d} 현재 {r}에 등록된 {x} 교습소|{x} 가르치는 학원이 {r}에 {d} 무렵 얼마나 있는지
libraries|{r} 도서관의 {d} {x} 대출 기록|{d}에 {r} 공공도서관에서 빌려 간 {x} 책|{r} 사람들이 {d}에 읽으려고 빌린 {x} 도서
scholarships|{r}의 {d} {x} 장학금 지급액|{d}에 {r} 학생에게 나간 {x} 장학금|{x} 명목으로 {r}에서 {d}에 준 학비
graduates|{r} 대학의 {d} {x} 취업률|{d} 기준 {r} 소재 대학 {x} 졸업자 취업 비율|{r}에서 {x}을 마친 사람들이 {d}에 일자리를 얻은 정도
disclosures|{x}의 {d} 공시 목록|{d}에 {x}이 낸 보고서|{x} 회사가 {d} 동안 시장에 알린 내용
dividends|{x}의 {d} 주당 배당금|{d}에 {x}이 주주에게 준 배당|{x} 주식을 {d}에 들고 있으면 받은 돈
executives|{x}의 {d} 임원 현황|{d} 기준 {x}에서 일하는 등기임원|{x} 경영진 명단이 {d}에 어떠했는지
loans|{r}의 {d} {x} 대출 금리|{d}에 {r} 은행들이 매긴 {x} 이자율|{x} 빌릴 때 {r}에서 {d}에 붙은 이자
card_sales|{r}의 {d} {x} 카드 매출액|{d}에 {r} {x} 가게에서 긁은 카드 금액|{x} 업종이 {r}에서 {d}에 카드로 번 돈
prices|{r}의 {d} {x} 소비자가격|{d}에 {r} 시장에서 팔린 {x} 값|{r} 장바구니에서 {x} 가격이 {d}에 어땠는지
bills|{x} 의원이 {d}에 발의한 법안|{d} 중 {x} 국회의원 이름으로 나온 의안|{x} 씨가 의원으로서 {d}에 낸 법률안
votes|{x} 법안의 {d} 본회의 표결 결과|{d} 본회의에서 {x} 안건에 던진 표|{x} 의안이 {d}에 국회에서 어떻게 갈렸는지
meetings|{x} 위원회의 {d} 회의록|{d}에 열린 {x} 위원회 발언 기록|{x} 상임위가 {d}에 나눈 이야기
petitions|{x} 관련 {d} 국민동의청원|{d}에 접수된 {x} 청원|{x} 문제로 시민들이 {d}에 국회에 낸 요청
budgets|{r}의 {d} {x} 예산 집행액|{d}까지 {r} 구청이 쓴 {x} 예산|{r} 살림에서 {x} 쪽으로 {d}에 나간 돈
permits|{r}의 {d} {x} 인허가 건|{d}에 {r}에서 문을 연 {x} 업소 신고|{x} 가게가 {r}에서 {d}에 받은 허가
"""

REGIONS = [
    f"{city} {part}"
    for city, parts in {
        "서울특별시": "강남구 강북구 강서구 관악구 노원구 마포구 서초구 송파구 양천구 용산구 은평구 종로구 중랑구",
        "부산광역시": "남구 동래구 사하구 수영구 해운대구 금정구 기장군",
        "대구광역시": "달서구 수성구 북구 군위군",
        "인천광역시": "계양구 남동구 부평구 연수구 강화군",
        "경기도": "가평군 고양시 과천시 광명시 구리시 군포시 김포시 부천시 수원시 안양시 용인시 평택시 하남시 화성시",
        "강원특별자치도": "강릉시 동해시 속초시 원주시 춘천시 평창군",
        "충청북도": "괴산군 단양군 제천시 청주시 충주시",
        "전라남도": "광양시 나주시 목포시 순천시 여수시 해남군",
        "경상북도": "경산시 경주시 구미시 김천시 포항시 울릉군",
        "제주특별자치도": "서귀포시 제주시",
    }.items()
    for part in parts.split()
]
THINGS = [
    "내과",
    "소아과",
    "안과",
    "치과",
    "피부과",
    "정형외과",
    "독감",
    "홍역",
    "대상포진",
    "초등학교",
    "중학교",
    "고등학교",
    "유치원",
    "수학",
    "영어",
    "피아노",
    "미술",
    "과학",
    "역사",
    "경제",
    "소설",
    "간호학",
    "건축학",
    "경영학",
    "전자공학",
    "한빛전자",
    "가온화학",
    "나래중공업",
    "다온은행",
    "라온통신",
    "마루건설",
    "주택",
    "신용",
    "전세자금",
    "쌀",
    "배추",
    "사과",
    "한우",
    "고등어",
    "음식점",
    "미용실",
    "편의점",
    "카페",
    "숙박",
    "의료급여",
    "청소년",
    "기후위기",
    "반려동물",
    "교통안전",
    "저출생",
    "도로보수",
    "복지",
]
# operator | three ways to ask for it
OPERATORS = {
    "largest": (" 가운데 가장 큰 값이 나온 곳을", " 중에서 제일 높은 것 하나를", "에서 최댓값을 보인 대상을"),
    "smallest": (" 가운데 가장 작은 값이 나온 곳을", " 중에서 제일 낮은 것 하나를", "에서 최솟값을 보인 대상을"),
    "mean": ("의 평균을", "을 평균으로 계산한 값을", "이 보통 어느 수준인지 평균치를"),
    "count": ("이 모두 몇 건인지", "의 전체 개수를", "에 해당하는 것을 세어 그 수를"),
    "list": ("을 빠짐없이", "의 전체 목록을", "에 해당하는 것을 모두"),
}
ENDINGS = ("알려 주세요", "알려줘", "알려 주시면 감사하겠습니다", "알고 싶습니다", "알려 주시겠어요?", "확인해 주세요")
JOINS = (" 그리고 ", ", 또 ", " 및 ", " 아울러 ")
# what follows a row, by weight: nothing, or a copy of some kind
KINDS = {"none": 48, "exact": 6, "surface": 12, "para": 5, "slot": 25, "operator": 4}
SPACES = ("\u200b", "\u00a0", "  ", "\u2060")

TOOLS = [line.split("|")[0] for line in INTENTS.strip().splitlines()]
WORDINGS = [line.split("|")[1:] for line in INTENTS.strip().splitlines()]


@dataclass(frozen=True, slots=True)
class Need:
    """What is asked: intents with their values (region, year and month, thing), and what is done with the records."""

    asked: tuple[tuple[int, int, tuple[int, int], int], ...]
    operator: str

    @property
    def values(self) -> list[str]:
        """The values that the wording of each intent states, in words."""
        found: list[str] = []
        for intent, region, (year, month), thing in self.asked:
            tool, said = TOOLS[intent], WORDINGS[intent][0]
            found += [f"{tool}.region={REGIONS[region]}"] if "{r}" in said else []
            found.append(f"{tool}.month={year}{month:02d}")
            found += [f"{tool}.name={THINGS[thing]}"] if "{x}" in said else []
        return found

    @property
    def plan(self) -> str:
        """The call graph without values: the tools, whose order does not count."""
        return "+".join(sorted(TOOLS[intent] for intent, *_ in self.asked))

    @property
    def arguments(self) -> str:
        """The values, whose order does not count."""
        return ";".join(sorted(self.values))


def say(need: Need, rng: random.Random, *, wording: int = 0, surface: bool = False) -> str:
    """Return a request; wordings 1 and 2 use other words in another order, `surface` another ending and date format."""
    parts = [_say_one(one, wording, rng.randrange(1, 4) if surface else 0) for one in need.asked]
    if wording:
        parts.reverse()
    said = OPERATORS[need.operator][wording]
    ending = ENDINGS[rng.randrange(1, len(ENDINGS)) if surface else 0]
    lead = rng.choice(("", "", "혹시 ", "죄송하지만 ")) if surface else ""
    return f"{lead}{JOINS[wording].join(parts)}{said} {ending}"


def _say_one(one: tuple[int, int, tuple[int, int], int], wording: int, dates: int) -> str:
    intent, region, (year, month), thing = one
    said = (f"{year}년 {month}월", f"{year}년 {month:02d}월", f"{year}.{month:02d}", f"{year}-{month:02d}")[dates]
    return WORDINGS[intent][wording].format(r=REGIONS[region], d=said, x=THINGS[thing])


def _draw(rng: random.Random) -> Need:
    count = rng.choices((1, 2, 3, 4), (45, 35, 14, 6))[0]
    chosen = rng.sample(range(len(TOOLS)), count)
    region = rng.randrange(len(REGIONS))
    asked = [(i, region, (rng.randrange(2015, 2026), rng.randrange(1, 13)), rng.randrange(len(THINGS))) for i in chosen]
    return Need(tuple(asked), rng.choice(list(OPERATORS)))


def _swapped(need: Need, rng: random.Random) -> Need:
    """Return the need with one value changed."""
    place = rng.randrange(len(need.asked))
    intent, region, (year, month), thing = need.asked[place]
    changed = {
        "r": (intent, (region + rng.randrange(1, len(REGIONS))) % len(REGIONS), (year, month), thing),
        "d": (intent, region, (year, month % 12 + 1), thing),
        "x": (intent, region, (year, month), (thing + rng.randrange(1, len(THINGS))) % len(THINGS)),
    }
    said = WORDINGS[intent][0]
    one = changed[rng.choice([slot for slot in changed if f"{{{slot}}}" in said])]
    return replace(need, asked=(*need.asked[:place], one, *need.asked[place + 1 :]))


def _noisy(text: str, rng: random.Random) -> str:
    how = rng.randrange(3)
    if how == 0:
        return unicodedata.normalize("NFD", text)
    place = rng.choice([i for i, letter in enumerate(text) if letter == " "])
    return text[:place] + rng.choice(SPACES) + text[place + 1 :] if how == 1 else text + rng.choice((" ", ".", "!"))


def _copies(need: Need, text: str, rng: random.Random) -> Iterator[tuple[str, Need, str]]:
    """Give kind, need and text of what is written after a first wording."""
    while (
        kind := rng.choices((None, "exact", "surface", "para", "slot", "operator"), (48, 6, 12, 5, 25, 4))[0]
    ) is not None:
        if kind == "exact":
            yield kind, need, _noisy(text, rng)
        elif kind == "surface":
            yield kind, need, say(need, rng, surface=True)
        elif kind == "para":
            yield kind, need, say(need, rng, wording=rng.randrange(1, 3), surface=rng.random() < 0.5)
        elif kind == "slot":
            other = _swapped(need, rng)
            yield kind, other, say(other, rng)
        else:
            other = replace(need, operator=rng.choice([o for o in OPERATORS if o != need.operator]))
            yield kind, other, say(other, rng)


def generate(count: int, seed: int = 0) -> pl.DataFrame:
    """Return `count` rows: trajectory_id, query, plan, arguments, operator, quality, and the truth: need, kind."""
    rng = random.Random(seed)
    rows: list[tuple[str, Need, str]] = []
    while len(rows) < count:
        need = _draw(rng)
        text = say(need, rng)
        rows.append(("base", need, text))
        rows += _copies(need, text, rng)
    rows = rows[:count]
    rng.shuffle(rows)
    names = [f"{need.plan}|{need.arguments}|{need.operator}" for _, need, _ in rows]
    return pl.DataFrame(
        {
            "trajectory_id": [f"t{i:08d}" for i in range(count)],
            "query": [text for *_, text in rows],
            "plan": [need.plan for _, need, _ in rows],
            "arguments": [need.arguments for _, need, _ in rows],
            "operator": [need.operator for _, need, _ in rows],
            "quality": [rng.randrange(10) / 10 for _ in rows],
            "need": names,
            "kind": [kind for kind, *_ in rows],
        }
    )


def kept_file(path: Path, count: int, seed: int = 0) -> Path:
    """Write the rows to a Parquet file, unless it is there; return its path."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        generate(count, seed).write_parquet(path)
    return path
