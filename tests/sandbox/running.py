"""Sandbox processes of a test's own: with options, and with a clock and faults that others must not meet."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

import httpx

from edge.sandbox.engine import DEMO_KEY

KEY = quote(DEMO_KEY, safe="")
CITIES = f"/apis.data.go.kr/1613000/TrainInfo/GetCtyCodeList?_type=json&serviceKey={KEY}"
CITIES_ID = "TrainInfo.GetCtyCodeList"
TRADES = f"/apis.data.go.kr/1613000/RTMSDataSvcAptTrade/getRTMSDataSvcAptTrade?LAWD_CD=11680&serviceKey={KEY}"
TRADES_ID = "RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade"


@contextmanager
def started(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "edge.sandbox", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"EDGE sandbox listening on (http://127\.0\.0\.1:\d+)\n", line)
        assert found, line
        try:
            yield found[1], process
        finally:
            if process.poll() is None:
                process.terminate()


@contextmanager
def client(*arguments: str) -> Iterator[httpx.Client]:
    """A client of a sandbox of its own; paths begin with the platform's host."""
    with started("--exit-with-parent", *arguments) as (url, _), httpx.Client(base_url=url, timeout=20) as http:
        yield http
