"""Needs that people have are answered by hand-written chains of calls, and their traps fail as on the platforms."""

import pytest
from information_needs import NEEDS


@pytest.mark.parametrize("number", NEEDS)
def test_a_need_is_answered(number: str) -> None:
    # Each chain asserts what makes its answer a real one, and that the wrong way gives nothing.
    answer = NEEDS[number]()
    print(f"{number}: {answer}")
    assert len(answer) > 20


def test_enough_needs_are_answered() -> None:
    assert len(NEEDS) >= 12
