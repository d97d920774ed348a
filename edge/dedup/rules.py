"""Requests -> those that no data set should hold, each with a reason (rows -> rejects)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import polars as pl

from edge.dedup.normalise import text_keys

REJECT = {"id": pl.String(), "reason": pl.String(), "detail": pl.String()}

# What only a program would write: snake_case, camelCase of two words, a path into a record, a template's slot. Classes
# are of ASCII throughout: those of Unicode take ten times as long, and nothing here is about them.
_NAME = r"(?-u:\b)[a-z]{2,}[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*|[A-Za-z0-9]+_[A-Za-z0-9_]+"
_CODE = r"```|[A-Za-z0-9_]+\[[0-9]*\]\.[A-Za-z_]+|</?[a-z]+/?>|\$\{?[A-Za-z0-9_]+\.[A-Za-z_]+"
_PERSONAL = (
    r"01[016789][-. ]?[0-9]{3,4}[-. ]?[0-9]{4}|(?-u:\b)[0-9]{6}[- ]?[1-8][0-9]{6}(?-u:\b)"
    r"|[A-Za-z0-9.+-]@[A-Za-z0-9-]+\.[A-Za-z]|[0-9]{4}[- ][0-9]{4}[- ][0-9]{4}[- ][0-9]{4}"
)
_MALFORMED = "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\ufffd{}]|\\(으\\)|(?-u:\\b)(?:undefined|NaN|None|null)(?-u:\\b)"
_SCRIPTS = {"ko": r"[가-힣]", "ja": r"[\p{Hiragana}\p{Katakana}\p{Han}]", "en": r"[A-Za-z]"}
_LEAST_NAME = 3  # letters of a name beyond which nobody writes it by chance


@dataclass(frozen=True, slots=True)
class QualityRules:
    """What a request must satisfy. Lengths are in letters and digits (least) and characters (most).

    `language` (ko, en, ja) asks that at least `language_share` of the letters be of its script; None: any.
    `stale_before` drops rows whose `today` lies before it.
    """

    least_letters: int = 2
    most_characters: int = 2000
    language: str | None = None
    language_share: float = 0.2
    stale_before: date | None = None


def quality_rejects(frame: pl.DataFrame, rules: QualityRules | None = None) -> pl.DataFrame:
    """Return a reject (id, reason, detail) for each row that breaks a rule, in their order; the first rule counts.

    Args:
        frame: `id` and `text`; further columns are read where they are there: `answer` and `kind` (a positive row
            without an answer cannot be answered), `today` (when the request was made), `own_name` (see the
            function of this name).
        rules: what must hold.
    """
    rules = rules or QualityRules()
    text = pl.col("text")
    rows = frame.with_columns(text.fill_null(""), letters=text_keys(frame["text"].fill_null("")).str.len_chars())
    found: list[tuple[str, pl.Expr, pl.Expr]] = [
        ("empty_text", ~text.str.contains(r"[\p{L}\p{N}]"), pl.lit("no letter and no digit")),
        ("too_short", pl.col("letters") < rules.least_letters, pl.format("{} letters", pl.col("letters"))),
        ("too_long", text.str.len_chars() > rules.most_characters, pl.format("{} characters", text.str.len_chars())),
        _matching("malformed", _MALFORMED),
        _matching("personal_data", _PERSONAL, told="looks like a telephone, resident, card or mail number"),
        _matching("leaked_code", _CODE),
        _matching("leaked_name", _NAME),
    ]
    if rules.language is not None:
        share = text.str.count_matches(_SCRIPTS[rules.language]) / text.str.count_matches(r"\p{L}").clip(lower_bound=1)
        found.append(("wrong_language", share < rules.language_share, pl.format("{} of the letters", share.round(2))))
    found += _of_columns(rows, rules)
    reason = pl.coalesce([pl.when(broken).then(pl.lit(name)) for name, broken, _ in found])
    judged = rows.with_columns(reason=reason).drop_nulls("reason")
    detail = pl.coalesce([pl.when(pl.col("reason") == name).then(told) for name, _, told in found])
    return judged.select("id", "reason", detail=detail).select([pl.col(n).cast(kind) for n, kind in REJECT.items()])


def _matching(reason: str, pattern: str, told: str | None = None) -> tuple[str, pl.Expr, pl.Expr]:
    text = pl.col("text")
    return reason, text.str.contains(pattern), pl.lit(told) if told else text.str.extract(f"({pattern})", 1)


def _of_columns(frame: pl.DataFrame, rules: QualityRules) -> list[tuple[str, pl.Expr, pl.Expr]]:
    found: list[tuple[str, pl.Expr, pl.Expr]] = []
    if "answer" in frame.columns:
        positive = pl.col("kind") == "positive" if "kind" in frame.columns else pl.lit(True)
        unanswered = positive & (pl.col("answer").cast(pl.String).fill_null("").str.strip_chars() == "")
        found.append(("unanswerable", unanswered, pl.lit("no answer")))
    if rules.stale_before is not None and "today" in frame.columns:
        today = pl.col("today").cast(pl.String).str.slice(0, 10)
        found.append(("stale", today < rules.stale_before.isoformat(), pl.format("of {}", today)))
    if "own_name" in frame.columns:
        found.append(("leaked_name", pl.col("own_name").is_not_null(), pl.col("own_name")))
    return found


def own_name(text: str | None, names: Iterable[str]) -> str | None:
    """Return a tool or parameter name of a row that its request has and nobody would write; None if there is none."""
    return next((name for name in names if len(name) > _LEAST_NAME and text and name in text), None)
