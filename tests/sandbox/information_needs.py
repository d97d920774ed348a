"""Needs that people really have, answered by hand: each is a chain of HTTP calls that ends in a concrete answer.

Run: python tests/sandbox/information_needs.py
It starts a sandbox and prints an answer a need. The ids are those of the reference list of needs; names of companies,
schools and members are those of the sandbox's world, in which everybody is invented. Every trap is tried as well and
must fail as it fails on the platform.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from typing import Any

from linkcalls import fetch_rows, send

Row = dict[str, Any]
TODAY = date(2026, 6, 15)
YEAR = {"bgn_de": "20250616", "end_de": "20260615"}
ANNUAL = "11011"


def paged(name: str, size: int = 1000, **params: object) -> Iterator[Row]:
    """Every row of a service that pages by pIndex and pSize; ends with the first page that is not full."""
    for page in range(1, 500):
        rows = fetch_rows(name, pIndex=page, pSize=size, **params)
        yield from rows
        if len(rows) < size:
            return


def status(name: str, **params: object) -> str:
    """The platform's own code of one answer."""
    body: Any = send(name, params).raw.json()
    while "RESULT" not in body and "status" not in body and "msgHeader" not in body and "response" not in body:
        body = next(iter(body.values()))
        if isinstance(body, list):
            body = body[0]["head"][1]
    found = body.get("RESULT", body)
    found = found[0] if isinstance(found, list) else found
    head = found.get("msgHeader") or found.get("response", {}).get("header") or found
    return str(head.get("CODE") or head.get("status") or head.get("headerCd") or head.get("resultCode"))


def won(text: str) -> int:
    """Amounts come with commas, a sign, or a dash for none."""
    return 0 if text in ("", "-") else int(text.replace(",", ""))


def whole_body(name: str, **params: object) -> Any:
    return send(name, params).raw.json()


@cache
def registry() -> list[Row]:
    """The ZIP of all companies, as every chain of filings begins."""
    rows = fetch_rows("dart.corpCode")
    assert len(rows) > 100_000
    return rows


def listed() -> list[Row]:
    return [row for row in registry() if row["stock_code"]]


def n01() -> str:
    """Convertible bonds of the last year, or else a capital increase."""
    bonds = ((one, fetch_rows("dart.cvbdIsDecsn", corp_code=one["corp_code"], **YEAR)) for one in listed())
    company, decided = next((one, rows) for one, rows in bonds if rows)
    same_name = [row for row in registry() if row["corp_name"] == company["corp_name"] and row["stock_code"]]
    assert same_name == [company]
    # The share code where the filing code belongs is refused outright.
    assert status("dart.cvbdIsDecsn", corp_code=company["stock_code"], **YEAR) == "100"
    found = [
        (one, rows)
        for one in listed()[:150]
        if status("dart.cvbdIsDecsn", corp_code=one["corp_code"], **YEAR) == "013"
        and (rows := fetch_rows("dart.piicDecsn", corp_code=one["corp_code"], **YEAR))
    ]
    other, increase = found[0]
    total, coupon = decided[0]["bd_fta"], decided[0]["bd_intr_ex"]
    assert won(total) > 0
    assert won(increase[0]["nstk_ostk_cnt"]) > 0
    return (
        f"{company['corp_name']}: 전환사채 {total}원, 표면이자율 {coupon}%; "
        f"{other['corp_name']}: 전환사채 없음, 유상증자 {increase[0]['nstk_ostk_cnt']}주"
    )


def n02() -> str:
    """Three companies' operating profit in one call; the dividend of the one that fell most."""
    three = [
        one
        for one in listed()[:60]
        if fetch_rows("dart.fnlttSinglAcnt", corp_code=one["corp_code"], bsns_year=2024, reprt_code=ANNUAL)
    ][:3]
    codes = ",".join(one["corp_code"] for one in three)
    rows = fetch_rows("dart.fnlttMultiAcnt", corp_code=codes, bsns_year=2024, reprt_code=ANNUAL)
    profits = [row for row in rows if row["account_nm"] == "영업이익"]
    # Consolidated and separate statements lie side by side: not choosing counts every company twice.
    assert len(profits) > 3
    own = {row["corp_code"]: row for row in profits if row["fs_div"] == "CFS"}
    own |= {row["corp_code"]: row for row in profits if row["corp_code"] not in own}
    assert len(own) == 3
    fell = min(own.values(), key=lambda row: won(row["thstrm_amount"]) - won(row["frmtrm_amount"]))
    dividends = fetch_rows("dart.alotMatter", corp_code=fell["corp_code"], bsns_year=2024, reprt_code=ANNUAL)
    share = next(row["thstrm"] for row in dividends if row["se"].startswith("주당 현금배당금"))
    names = {one["corp_code"]: one["corp_name"] for one in three}
    table = ", ".join(f"{names[code]} {row['thstrm_amount']}" for code, row in own.items())
    return f"영업이익 {table}; 가장 준 {names[fell['corp_code']]}의 주당 현금배당 {share}원"


def n05() -> str:
    """Months in which both the exchange rate and the base rate moved."""
    tables = {row["STAT_NAME"]: row for row in fetch_rows("ecos.StatisticTableList") if row["SRCH_YN"] == "Y"}
    series: dict[str, dict[str, float]] = {}
    for label, words in (("평균환율", "달러"), ("기준금리", "기준금리")):
        found = next(row for name, row in tables.items() if label in name)
        items = fetch_rows("ecos.StatisticItemList", STAT_CODE=found["STAT_CODE"])
        item = next(row for row in items if words in row["ITEM_NAME"] and row["CYCLE"] == "M")
        where = {"STAT_CODE": found["STAT_CODE"], "ITEM1": item["ITEM_CODE"]}
        rows = fetch_rows("ecos.StatisticSearch", **where, CYCLE="M", FROM="202404", TO="202605")
        series[label] = {row["TIME"]: float(row["DATA_VALUE"]) for row in rows}
    # Days written as months fit no daily figure: empty, not an error.
    daily = {"STAT_CODE": "722Y001", "ITEM1": "0101000", "CYCLE": "D"}
    assert fetch_rows("ecos.StatisticSearch", **daily, FROM="20260501", TO="20260529")
    assert status("ecos.StatisticSearch", **daily, FROM="202505", TO="202605") == "INFO-200"
    months = sorted(set(series["평균환율"]) & set(series["기준금리"]))
    assert len(months) >= 12

    def moved(label: str, before: str, month: str) -> bool:
        return series[label][before] != series[label][month]

    both = [m for b, m in pairwise(months) if moved("평균환율", b, m) and moved("기준금리", b, m)]
    assert 0 < len(both) < len(months) - 1
    return f"둘 다 움직인 달: {', '.join(both)}"


def n07() -> str:
    """Audit opinions of three years; the report of a year that was not clean."""
    names = Counter(row["corp_name"] for row in registry())
    doubled = next(name for name, count in names.items() if count > 1)
    # A name is not enough: several companies answer to it, and the caller has to ask back.
    assert len([row for row in registry() if row["corp_name"] == doubled]) > 1
    for company in listed():
        asked = {"corp_code": company["corp_code"], "reprt_code": ANNUAL}
        for year in (2025, 2024, 2023):
            for row in fetch_rows("dart.accnutAdtorNmNdAdtOpinion", bsns_year=year, **asked):
                if "적정" in row["adt_opinion"] and not row["adt_opinion"].startswith(("한정", "부적정")):
                    continue
                if not row["bsns_year"].endswith("(당기)") or row["adt_opinion"] in ("-", ""):
                    continue
                papers = fetch_rows(
                    "dart.list", corp_code=company["corp_code"], bgn_de=f"{year + 1}0101", end_de=f"{year + 1}1231"
                )
                paper = next(paper for paper in papers if paper["report_nm"].startswith("사업보고서"))
                assert paper["rcept_no"] == row["rcept_no"]
                return f"{company['corp_name']} {year}년: {row['adt_opinion']}, 접수번호 {paper['rcept_no']}"
    raise AssertionError("every opinion is clean")


def _school(kind: str) -> Row:
    found = fetch_rows("neis.schoolInfo", ATPT_OFCDC_SC_CODE="B10", SCHUL_KND_SC_NM=kind)[0]
    by_name = fetch_rows("neis.schoolInfo", SCHUL_NM=found["SCHUL_NM"], ATPT_OFCDC_SC_CODE="B10")
    return next(row for row in by_name if row["SD_SCHUL_CODE"] == found["SD_SCHUL_CODE"])


def _codes(school: Row) -> Row:
    return {name: school[name] for name in ("ATPT_OFCDC_SC_CODE", "SD_SCHUL_CODE")}


def n08() -> str:
    """Days of next week on which a school serves something with an allergen."""
    school = _school("고등학교")
    week = {"MLSV_FROM_YMD": "20260622", "MLSV_TO_YMD": "20260626"}
    meals = fetch_rows("neis.mealServiceDietInfo", **_codes(school), **week)
    assert meals

    def allergens(meal: Row) -> set[str]:
        return {number for marks in re.findall(r"\(([\d.]+)\)", meal["DDISH_NM"]) for number in marks.split(".")}

    # Over the whole month the number as a piece of text is in more meals than have it: 14 is no 4.
    month = fetch_rows(
        "neis.mealServiceDietInfo", **_codes(school), MLSV_FROM_YMD="20260601", MLSV_TO_YMD="20260630", pSize=100
    )
    careless = [meal for meal in month if "4" in meal["DDISH_NM"]]
    careful = [meal for meal in month if "4" in allergens(meal)]
    assert 0 < len(careful) < len(careless)
    days = {meal["MLSV_YMD"] for meal in meals if "4" in allergens(meal)}
    return f"{school['SCHUL_NM']}: 다음 주 {sorted(days) or '없음'} (6월에는 {len(careful)}끼)"


def n10() -> str:
    """Tomorrow's lessons of a middle and a high school, each from the operation of its kind."""
    lessons: list[str] = []
    tools = {"중학교": "neis.misTimetable", "고등학교": "neis.hisTimetable"}
    for kind, tool in tools.items():
        school = _school(kind)
        asked = {"ALL_TI_YMD": "20260616", "GRADE": "1", "CLASS_NM": "2"}
        rows = fetch_rows(tool, **_codes(school), **asked)
        other = next(name for key, name in tools.items() if key != kind)
        assert status(other, **_codes(school), **asked) == "INFO-200"
        assert rows
        lessons.append(f"{school['SCHUL_NM']} {[row['ITRT_CNTNT'] for row in rows]}")
    return "; ".join(lessons)


def n11() -> str:
    """Calories of this week's lunches at the primary schools near a home."""
    home = fetch_rows("local.searchAddress", query="성남시 분당구 정자동")[0]
    around = {"category_group_code": "SC4", "x": home["x"], "y": home["y"], "radius": 8000}
    places = [row for row in fetch_rows("local.searchCategory", **around) if row["place_name"].endswith("초등학교")]
    assert places
    means: dict[str, float] = {}
    for place in places:
        schools = fetch_rows("neis.schoolInfo", SCHUL_NM=place["place_name"], LCTN_SC_NM="경기도")
        for school in schools[:1]:
            week = {"MLSV_FROM_YMD": "20260615", "MLSV_TO_YMD": "20260619", "MMEAL_SC_CODE": "2"}
            meals = fetch_rows("neis.mealServiceDietInfo", **_codes(school), **week)
            # A text with its unit: what takes it for a number fails.
            assert all(meal["CAL_INFO"].endswith(" Kcal") for meal in meals)
            numbers = [float(meal["CAL_INFO"].split()[0]) for meal in meals]
            means[school["SCHUL_NM"]] = round(sum(numbers) / len(numbers), 1)
    assert means
    assert all(300 < mean < 1500 for mean in means.values())
    return f"평균 kcal {means}"


def n14() -> str:
    """A statute by a name that the table of short names does not have, its penal article, what was held about it."""
    short = {row["법령약칭명"]: row["법령명한글"] for row in fetch_rows("law.abbr")}
    assert "도교법" not in short
    laws = fetch_rows("law.search", query="도로교통법")
    law = next(row for row in laws if row["법령명한글"] == "도로교통법")
    body = whole_body("law.detail", MST=law["법령일련번호"])["법령"]
    articles = body["조문"]["조문단위"]
    article = next(unit for unit in articles if "벌칙" in unit["조문제목"])
    answer = f"{body['기본정보']['법령명_한글']} 제{article['조문번호']}조({article['조문제목']})"
    opinions = fetch_rows("law.expc_search", query="도로교통법 음주")
    if opinions:
        return f"{answer}; 해석 {opinions[0]['안건명']}"
    appeals = fetch_rows("law.decc_search", query="도로교통법") or fetch_rows("law.decc_search", query="운전면허")
    text = whole_body("law.decc_detail", ID=appeals[0]["행정심판재결례일련번호"])
    assert text
    return f"{answer}; 해석 없음, 재결 {appeals[0]['사건명']} ({appeals[0]['재결구분명']})"


def n15() -> str:
    """Statutes promulgated of late that the Assembly passed without a vote against, and what they change."""
    all_votes = paged("assembly.ncocpgfiaoituanbr", AGE=22)
    votes = {_law_name(row["BILL_NAME"]): row for row in all_votes if not row["NO_TCNT"] + row["BLANK_TCNT"]}
    for first in ("20260601", "20260101", "20250101", "20240601"):
        laws = [law for page in range(1, 20) for law in _promulgated(first, page)]
        for law in (law for law in laws if law["법령명한글"] in votes):
            # With its tail the name of a bill is the name of no statute.
            vote = votes[law["법령명한글"]]
            assert vote["BILL_NAME"] != law["법령명한글"]
            assert not fetch_rows("law.search", query=vote["BILL_NAME"])
            pairs = fetch_rows("law.oldnew_search", query=law["법령명한글"])
            pair = next((row for row in pairs if row["신구법명"] == law["법령명한글"]), None)
            if pair is None:
                continue
            text = whole_body("law.oldnew_detail", MST=pair["신구법일련번호"])["OldAndNewService"]
            old, new = (_listed(text[side]["조문"]) for side in ("구조문목록", "신조문목록"))
            assert old
            assert old != new
            return f"{law['법령명한글']} (찬성 {vote['YES_TCNT']}, 반대 0): 신구 {len(old)}/{len(new)}개 조문"
    raise AssertionError("nothing was passed without a vote against")


def _promulgated(first: str, page: int) -> list[Row]:
    return fetch_rows("law.search", knd="A0002", ancYd=f"{first}~20260615", display=100, page=page)


def _law_name(bill: str) -> str:
    return re.sub(r" (일부|전부)?개정법률안.*$| ?법률안.*$|안(\(.*\))?$", "", bill)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def n16() -> str:
    """The five oldest bills that lie before a committee, with who proposed them."""
    committee = fetch_rows("assembly.nxrvzonlafugpqjuh", COMMITTEE_NAME="교육위원회")[0]
    # The argument is a name: the code of the same committee finds nothing.
    assert status("assembly.ndiwuqmpambgvnfsj", CURR_COMMITTEE=committee["HR_DEPT_CD"]) == "INFO-200"
    pending = list(paged("assembly.ndiwuqmpambgvnfsj", CURR_COMMITTEE=committee["COMMITTEE_NAME"]))
    oldest = sorted(pending, key=lambda row: row["PROPOSE_DT"])[:5]
    assert len(oldest) == 5
    lines: list[str] = []
    for bill in oldest:
        people = fetch_rows("assembly.BILLINFOPPSR", BILL_ID=bill["BILL_ID"], pSize=100)
        lead = next(row for row in people if row["REP_DIV"] == "대표발의")
        lines.append(f"{bill['PROPOSE_DT']} {bill['BILL_NAME']}: {lead['PPSR_NM']}({lead['PPSR_POLY_NM']})")
    return "; ".join(lines)


def n17() -> str:
    """The three closest votes of the term, and how one member voted."""
    votes = list(paged("assembly.ncocpgfiaoituanbr", AGE=22))
    closest = sorted(votes, key=lambda row: abs(row["YES_TCNT"] - row["NO_TCNT"]))[:3]
    member = fetch_rows("assembly.nwvrqwxyaytdsfvhu", ORIG_NM="경기 성남시")[0]
    said: list[str] = []
    for bill in closest:
        own = fetch_rows("assembly.nojepdqqaweusdfbi", AGE=22, BILL_ID=bill["BILL_ID"], MONA_CD=member["MONA_CD"])
        # Who was not there has no row, or one that says so: neither is a vote.
        said.append(f"{bill['BILL_NAME']} {own[0]['RESULT_VOTE_MOD'] if own else '불참'}")
    assert len(closest) == 3
    return f"{member['HG_NM']}({member['ORIG_NM']}): " + "; ".join(said)


def n19() -> str:
    """Pledges about traffic of every candidate for a governor's office who stayed in the race."""
    kinds = {row["sgTypecode"]: row for row in fetch_rows("nec.getCommonSgCodeList", numOfRows=100)}
    assert "3" in kinds
    election = {"sgId": "20220601", "sgTypecode": 3}
    candidates = fetch_rows("nec.getPofelcddRegistSttusInfoInqire", **election, sdName="경기도", numOfRows=100)
    running = [row for row in candidates if row["status"] == "등록"]
    assert running
    told: list[str] = []
    for one in running:
        for row in fetch_rows("nec.getCnddtElecPrmsInfoInqire", **election, cnddtId=one["huboid"]):
            count = int(row["prmsCnt"])
            told += [
                f"{one['name']}: {row[f'prmsTitle{n}']}"
                for n in range(1, count + 1)
                if row[f"prmsRealmName{n}"] == "교통"
            ]
    assert told
    return "; ".join(told)


def n20() -> str:
    """Pledges of candidates for the Assembly are not published: an honest refusal, and what the parties say."""
    election = {"sgId": "20240410", "sgTypecode": 2}
    candidates = fetch_rows("nec.getPofelcddRegistSttusInfoInqire", **election, sggName="종로구")
    refused = {status("nec.getCnddtElecPrmsInfoInqire", **election, cnddtId=row["huboid"]) for row in candidates}
    assert refused == {"INFO-03"}
    policies: list[str] = []
    for party in sorted({row["jdName"] for row in candidates}):
        for row in fetch_rows("nec.getPartyPlcInfoInqire", sgId="20240410", partyName=party):
            policies.append(f"{party}: {row['prmsTitle1']}")
    assert policies
    return "후보 공약은 제공되지 않음; 정당정책 " + "; ".join(policies)


def n21() -> str:
    """Bills whose stage changed on one day, counted once each by committee."""
    day = next(
        text
        for back in range(1, 10)
        if fetch_rows("assembly.nqfvrbsdafrmuzixe", DT=(text := f"{TODAY - timedelta(days=back)}"), AGE=22)
    )
    rows = list(paged("assembly.nqfvrbsdafrmuzixe", size=100, DT=day, AGE=22))
    once = {row["BILL_ID"]: row for row in rows}
    known = {row["HR_DEPT_CD"]: row["COMMITTEE_NAME"] for row in fetch_rows("assembly.nxrvzonlafugpqjuh")}
    counts = Counter(known.get(row["COMMITTEE_ID"]) or row["COMMITTEE"] or "본회의" for row in once.values())
    assert counts.total() == len(once) <= len(rows)
    return f"{day}: {dict(counts)}"


def n22() -> str:
    """When a bus comes, how full it is and whether one can roll in; a name finds its namesakes too."""
    routes = fetch_rows("topis.getBusRouteList", strSrch="472")
    assert len(routes) > 1
    route = next(row for row in routes if row["busRouteNm"] == "472")
    stops = fetch_rows("topis.getStaionByRoute", busRouteId=route["busRouteId"])
    buses = {row["vehId"]: row for row in fetch_rows("topis.getBusPosByRtid", busRouteId=route["busRouteId"])}
    crowd = {"0": "정보없음", "3": "여유", "4": "보통", "5": "혼잡", "6": "매우혼잡"}
    for stop in stops:
        asked = {"stId": stop["station"], "busRouteId": route["busRouteId"]}
        # The order of the stop on its line, not the number of a stretch.
        assert status("topis.getArrInfoByRoute", **asked, ord=int(stop["seq"]) + 500) == "4"
        for row in fetch_rows("topis.getArrInfoByRoute", **asked, ord=stop["seq"]):
            bus = buses.get(row["vehId1"])
            if bus is not None:
                low = "저상" if bus["busType"] == "1" else "일반"
                return f"{stop['stationNm']}: {row['arrmsg1']}, {crowd[bus['congetion']]}, {low}버스"
    raise AssertionError("no bus is on its way")


def n24() -> str:
    """The five busiest stations of the newest day there is, and the trains that come to them now."""
    late, rows = next(
        (back, found)
        for back in range(1, 7)
        if (found := fetch_rows("seoul.CardSubwayStatsNew", USE_YMD=f"{TODAY - timedelta(days=back):%Y%m%d}"))
    )
    # Yesterday is not there yet: an answer has to say which day it speaks of.
    assert late == 3
    riders: Counter[str] = Counter()
    for row in rows:
        riders[row["SBWY_STNS_NM"]] += row["GTON_TNOPE"]
    lines: list[str] = []
    for name, count in riders.most_common(5):
        trains = fetch_rows("seoulsubway.realtimeStationArrival", statnNm=name.split("(")[0].removesuffix("역"))
        trains = trains or fetch_rows("seoulsubway.realtimeStationArrival", statnNm=name)
        lines.append(f"{name} {count}명: {trains[0]['arvlMsg2'] if trains else '도착 정보 없음'}")
    assert sum("도착 정보 없음" not in line for line in lines) >= 3
    return f"{late}일 전 자료; " + "; ".join(lines)


def n25() -> str:
    """The worst jam of one expressway, and what the next rest area is known for."""
    speeds = [row for row in _expressway("ex.trafficAmountByRealtime") if row["routeNo"] == "0010"]
    # The letter that is missing is missing on the platform too.
    assert "trafficAmout" in speeds[0]
    worst = min(speeds, key=lambda row: int(row["speed"]) or 999)
    gates = _expressway("ex.locationinfoUnit", routeNo="0010")
    end = worst["conzoneName"].split("-")[1].removesuffix("IC")
    gate = next(row for row in gates if row["unitName"].strip().startswith(end))
    areas = _expressway("ex.locationinfoRest", routeNo="0010")
    assert not fetch_rows("ex.locationinfoRest", routeNo="1")
    areas.sort(key=lambda row: abs(_x(row) - _x(gate)) + abs(_y(row) - _y(gate)))
    for area in areas:
        assert area["unitCode"] != area["unitCode"].strip()
        assert not fetch_rows("ex.restBestfoodList", stdRestCd=area["serviceAreaCode"])
        foods = fetch_rows("ex.restBestfoodList", stdRestCd=area["stdRestCd"])
        if foods:
            return f"{worst['conzoneName']} {worst['speed']}km/h; {area['unitName']}: {foods[0]['foodNm']}"
    raise AssertionError("no rest area serves anything")


def _x(row: Row) -> float:
    return float(row["xValue"])


def _y(row: Row) -> float:
    return float(row["yValue"])


def _expressway(name: str, **params: object) -> list[Row]:
    rows: list[Row] = []
    for page in range(1, 100):
        found = fetch_rows(name, numOfRows=99, pageNo=page, **params)
        rows += found
        if len(found) < 99:
            break
    return rows


def n29() -> str:
    """The three counties that live least on their own money, and how much of it goes into welfare."""
    rows = list(paged("lofin.JFIED", fyr=2025))
    counties = [row for row in rows if row["laf_hg_nm"].endswith("군")]
    poorest = sorted(counties, key=lambda row: row["rate1"])[:3]
    shares: list[str] = []
    for one in poorest:
        code = one["laf_cd"]
        # Five digits of a district are no code of a government.
        assert status("lofin.GGNSE", fyr=2025, laf_cd=code[:5]) == "INFO-200"
        spending = list(paged("lofin.GGNSE", fyr=2025, laf_cd=code))
        amount = {row["fld_nm"]: float(row[_amount(row)]) for row in spending}
        welfare = amount["사회복지"] / sum(value for name, value in amount.items() if name != "합계")
        income = list(paged("lofin.FIACRV", fyr=2025, laf_cd=code))
        assert income
        assert 0.02 < welfare < 0.7
        shares.append(f"{one['laf_hg_nm']}(자립도 {one['rate1']}) {welfare:.1%}")
    assert len(shares) == 3
    return "; ".join(shares)


def _amount(row: Row) -> str:
    return next(name for name in row if "amt" in name or "cash" in name)


NEEDS: dict[str, Callable[[], str]] = {
    "N01": n01, "N02": n02, "N05": n05, "N07": n07, "N08": n08, "N10": n10, "N11": n11, "N14": n14, "N15": n15,
    "N16": n16, "N17": n17, "N19": n19, "N20": n20, "N21": n21, "N22": n22, "N24": n24, "N25": n25, "N29": n29,
}  # fmt: skip


def main() -> None:
    for number, answer in NEEDS.items():
        print(f"{number}: {answer()}")


if __name__ == "__main__":
    main()
