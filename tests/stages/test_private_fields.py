"""What a platform marks as private reaches no file of a run: no dataset, no reject, no link value, no recording."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from stageruns import Finished, run_stages, small_params
from wireserver import Reply, Seen, serving

PHONE, PERSON, MAIL, NESTED = "010-5749-3862", "독고영재", "planted.contact@example.kr", "02-8264-1975"
PLANTED = (PHONE, PERSON, MAIL, NESTED)
PROFILE = """
platform: clinics
title: 진료소
hosts: [api.clinics.example]
auth: {parameter: serviceKey, location: query, env: EDGE_KEY_CLINICS}
envelope:
  records: [response.body.items.item]
  total: [response.body.totalCount]
  code: [response.header.resultCode]
  message: [response.header.resultMsg]
  success: ["00"]
  codes:
    - {code: "03", outcome: empty, reason: no_data}
    - {code: "10", outcome: structural, reason: invalid_parameter, ambiguous: server_error}
"""
SERVICES = """
services:
  - service: clinics
    provider: 보건소
    domain: healthcare
    base_url: https://api.clinics.example/v1
    operations:
      - key: clinics.list
        path: /list
        title: 진료소 찾기
        description: 지역 이름으로 진료소를 찾아 진료소번호를 준다.
        noun: 진료소
        name_field: clinicNm
        parameters:
          - {name: region, label: 지역, description: 시도, required: true, enum: [서울, 부산, 대구]}
        outputs: &fields
          - {path: clinicNo, label: 진료소번호, kind: code, format: "6"}
          - {path: clinicNm, label: 진료소명, kind: name}
          - {path: bedCnt, label: 병상수, type: integer, kind: count, unit: 개}
          - {path: telno, label: 전화번호, private: true}
          - {path: manager, label: 담당자, private: true}
          - {path: contact.mail, label: 담당자 전자우편, private: true}
          - {path: "staff[].tel", label: 직원 전화번호, private: true}
          - {path: "staff[].role", label: 직무}
      - key: clinics.detail
        path: /detail
        title: 진료소 정보
        description: 진료소번호로 진료소 하나의 병상 수와 주소를 준다.
        noun: 진료소 정보
        name_field: clinicNm
        parameters:
          - {name: clinicNo, label: 진료소번호, description: 6자리 진료소번호, kind: code, format: "6", required: true}
        outputs:
          - {path: clinicNo, label: 진료소번호, kind: code, format: "6"}
          - {path: clinicNm, label: 진료소명, kind: name}
          - {path: address, label: 주소, kind: address}
          - {path: doctorCnt, label: 의사수, type: integer, kind: count, unit: 명}
          - {path: telno, label: 전화번호, private: true}
          - {path: manager, label: 담당자, private: true}
          - {path: contact.mail, label: 담당자 전자우편, private: true}
          - {path: "staff[].tel", label: 직원 전화번호, private: true}
"""
REGIONS = ("서울", "부산", "대구")


def clinic(n: int) -> dict[str, object]:
    return {
        "clinicNo": f"{700100 + n}", "clinicNm": f"한빛진료소{n}호", "bedCnt": 10 + n, "telno": PHONE,
        "manager": PERSON, "contact": {"mail": MAIL},
        "staff": [{"tel": NESTED, "role": "간호"}, {"tel": NESTED, "role": "접수"}],
    }  # fmt: skip


class Platform:
    """Answers soundly, and now and then in the ways in which private values slip past a parser of records."""

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()

    def __call__(self, seen: Seen) -> Reply:
        n = sum(self.sent.values())
        reply = self._odd(n) if n % 9 == 8 else self._sound(seen)
        text = reply.encoded().decode("utf-8", "replace")
        self.sent["private"] += any(value in text for value in PLANTED)
        self.sent["other"] += not any(value in text for value in PLANTED)
        return reply

    def _odd(self, n: int) -> Reply:
        rows = [clinic(1)]
        broken = json.dumps(self._body(rows), ensure_ascii=False)[:-9]
        drifted = {"result": {"rows": rows}, "response": {"header": {"resultCode": "00"}}}
        jsonp = f"callback({json.dumps(rows, ensure_ascii=False)})"
        page = f"<html><body>telno {PHONE} manager {PERSON} contact mail {MAIL} tel {NESTED}</body></html>"
        return (Reply(broken), Reply(drifted), Reply(jsonp), Reply(page), Reply(broken, status=500))[n // 9 % 5]

    def _sound(self, seen: Seen) -> Reply:
        if "/list" in seen.target:
            start = 10 * REGIONS.index(seen.query["region"]) if seen.query.get("region") in REGIONS else 0
            return Reply(self._body([clinic(start + n) for n in range(6)]))
        number = seen.query.get("clinicNo", "")
        if not number.startswith("7001"):
            return Reply(self._body([], "03"))
        n = int(number) - 700100
        one = {**clinic(n), "address": f"서울특별시 중구 세종대로 {n}", "doctorCnt": 3 + n}
        return Reply(self._body([one]))

    def _body(self, items: list[dict[str, object]], code: str = "00") -> dict[str, object]:
        body = {"items": {"item": items}, "totalCount": len(items)}
        return {"response": {"header": {"resultCode": code, "resultMsg": "NORMAL"}, "body": body}}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Finished, Platform]:
    root = tmp_path_factory.mktemp("private")
    folder = root / "clinics"
    folder.mkdir()
    (folder / "profile.yaml").write_text(PROFILE, "utf-8")
    (folder / "clinics.yaml").write_text(SERVICES, "utf-8")
    platform = Platform()

    async def run() -> Finished:
        async with serving(platform) as server:
            return await run_stages(small_params(root / "out", specs=[folder], paths=20), server.base)

    return asyncio.run(run()), platform


def texts(path: Path) -> str:
    """All that a file says, unpacked."""
    data = path.read_bytes()
    found = data.decode("utf-8", "replace")
    if path.suffix == ".parquet":
        found += json.dumps(pl.read_parquet(path).to_dicts(), default=str, ensure_ascii=False)
    if data.startswith(b"\x1f\x8b"):
        found += gzip.decompress(data).decode("utf-8", "replace")
    return found


def test_private_values_came_and_are_in_no_file(done: tuple[Finished, Platform]) -> None:
    finished, platform = done
    assert platform.sent["private"] > 20
    files = [path for path in finished.run.params.outputs.rglob("*") if path.is_file()]
    said = {path: texts(path) for path in files}
    everything = "\n".join(said.values())
    assert "한빛진료소" in everything  # the search does see what was answered
    assert "간호" in everything
    escaped = [json.dumps(value)[1:-1] for value in PLANTED]
    leaks = {(path.name, value) for path, text in said.items() for value in (*PLANTED, *escaped) if value in text}
    assert leaks == set()


def test_trajectories_came_of_it_all_the_same(done: tuple[Finished, Platform]) -> None:
    assert done[0].summary.counts["trajectories"] >= 1
