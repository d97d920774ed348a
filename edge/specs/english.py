"""the words of an English name -> its kind. Read where nothing Korean says what a field is."""

from __future__ import annotations

import re
from typing import Final

from edge.specs.model import Kind

_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MOMENTS: Final = frozenset(
    {"created", "updated", "modified", "published", "timestamp", "datetime", "expires", "expiration", "expiry"}
)
_LAST: Final[dict[str, Kind]] = {
    **dict.fromkeys(
        ("id", "ids", "uuid", "guid", "code", "codes", "sku", "isbn", "isbn13", "issn", "ean", "zip", "zipcode",
         "postcode", "hash", "sha", "token", "symbol", "ticker", "currency", "locale", "slug", "etag", "iata", "icao",
         "alpha2", "alpha3", "cursor", "identifier", "doi", "vin"), "code"),
    **dict.fromkeys(
        ("name", "names", "title", "nickname", "username", "fullname", "city", "country", "province", "district",
         "county", "town", "village", "region", "brand", "author", "artist", "publisher", "company", "organization",
         "organisation", "manufacturer", "nationality", "team", "school", "hospital", "station"), "name"),
    **dict.fromkeys(("date", "deadline", "birthday", "dob"), "date"),
    **dict.fromkeys(_MOMENTS, "datetime"),
    **dict.fromkeys(("year", "years"), "year"),
    "month": "month",
    **dict.fromkeys(
        ("count", "total", "quantity", "qty", "population", "views", "likes", "downloads", "followers", "votes",
         "subscribers", "visitors", "stock", "seats"), "count"),
    **dict.fromkeys(
        ("price", "prices", "cost", "amount", "fee", "fees", "balance", "revenue", "salary", "budget", "tax",
         "subtotal", "income", "fare", "payment", "wage", "profit"), "amount"),
    **dict.fromkeys(
        ("rate", "ratio", "score", "percent", "percentage", "temperature", "temp", "humidity", "pressure", "speed",
         "width", "height", "length", "depth", "weight", "distance", "radius", "elevation", "altitude", "age", "rank",
         "probability", "average", "avg", "mean", "median", "magnitude", "rating", "volume", "density", "duration",
         "elapsed", "timeout", "seconds", "minutes", "hours", "milliseconds", "interval", "offset", "limit", "page",
         "size", "latency", "index", "priority", "capacity", "precipitation", "rainfall", "visibility"), "number"),
    **dict.fromkeys(
        ("enabled", "disabled", "active", "verified", "deleted", "archived", "required", "optional", "visible",
         "hidden", "locked", "private", "public"), "flag"),
    **dict.fromkeys(("address", "street"), "address"),
    **dict.fromkeys(
        ("description", "summary", "comment", "comments", "message", "content", "body", "note", "notes", "remark",
         "remarks", "abstract", "text", "bio", "headline", "subtitle", "caption", "reason", "query", "keyword", "q",
         "email", "phone", "telephone", "fax", "mobile"), "text"),
    **dict.fromkeys(
        ("url", "urls", "uri", "href", "link", "links", "website", "homepage", "avatar", "thumbnail", "photo", "logo",
         "icon", "image"), "url"),
    **dict.fromkeys(("longitude", "lng", "lon", "long"), "longitude"),
    **dict.fromkeys(("latitude", "lat"), "latitude"),
}  # fmt: skip
_PAIRS: Final[dict[tuple[str, str], Kind]] = {
    ("per", "page"): "number",
    ("page", "size"): "number",
    ("page", "number"): "number",
    ("ip", "address"): "code",
    ("mac", "address"): "code",
    ("email", "address"): "text",
    ("phone", "number"): "text",
    ("order", "number"): "code",
    ("account", "number"): "code",
    ("postal", "code"): "code",
    ("case", "number"): "code",
    ("serial", "number"): "code",
    ("tracking", "number"): "code",
    ("file", "name"): "name",
    ("response", "time"): "number",
    ("run", "time"): "number",
    ("created", "time"): "datetime",
    ("updated", "time"): "datetime",
    ("date", "time"): "datetime",
    ("date", "from"): "date",
    ("date", "to"): "date",
    ("date", "range"): "text",
    ("ip", "addr"): "code",
}
_FIRST: Final[dict[str, Kind]] = {
    **dict.fromkeys(("is", "has", "can", "should", "was", "are", "allow", "enable", "include", "exclude"), "flag"),
    **dict.fromkeys(("num", "total"), "count"),
    **dict.fromkeys(("avg", "average", "max", "min", "pct", "percent"), "number"),
}
_PARTICIPLE = re.compile(r"[a-z]{2,}ed|(?:start|end|begin|expire)s?|sent|seen|built")

# Under a Korean label that shows nothing, these name too many things.
_AMBIGUOUS: Final = frozenset(
    {"title", "mean", "payment", "volume", "body", "total", "index", "active", "private", "public", "temp", "term"}
)


def words_of(name: str) -> list[str]:
    """Return the words of a wire name in small letters: "createdAt" and "created_at" give ["created", "at"]."""
    return [word.lower() for word in _SPLIT.findall(_BRACKETS.sub("", name))]


def english_kind(name: str) -> Kind | None:
    """Return what the words of an English name show, None where nothing."""
    words = words_of(name)
    if not words:
        return None
    last, pair = words[-1], (words[-2] if len(words) > 1 else "", words[-1])
    if says_moment(name):
        return "datetime"
    if last == "on" and _PARTICIPLE.fullmatch(pair[0]):
        return "date"
    first = _FIRST.get(words[0]) if len(words) > 1 else None
    if pair in _PAIRS or first == "flag":
        return _PAIRS.get(pair, "flag")
    return _LAST.get(last) or first


def hinted_kind(name: str) -> Kind | None:
    """Return what an English name shows beside a Korean label that shows nothing."""
    words = words_of(name)
    return None if not words or words[-1] in _AMBIGUOUS else english_kind(name)


def says_moment(name: str) -> bool:
    """Whether a name is "created_at" and the like: Korean abbreviations end a yes or no with the same "At"."""
    words = words_of(name)
    return len(words) > 1 and words[-1] == "at" and bool(_PARTICIPLE.fullmatch(words[-2]))
