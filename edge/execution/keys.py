"""Environment -> service keys, and every text -> the same text without them."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

from dotenv import dotenv_values
from pydantic import SecretStr

from edge.specs.model import Auth

DEMO_KEY = "edge+sandbox/key=="  # published on purpose (docs/design/wire.md): opens loopback endpoints only
MASK = "***"
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_CODE_UNIT = re.compile(r"\\(?:u00|x)([0-9A-Fa-f]{2})")
_DEEPEST_ESCAPES = 8
_SHORTEST_MASKED = 4  # shorter texts occur by chance everywhere; no platform gives out such keys
_SHORTEST_IN_BODY = 8  # "test" and "sample" are public keys and ordinary words of a response


def normalise_key(text: str) -> str:
    """Return the decoded form of a key: portals show the same key raw and percent-encoded (case A01).

    A text is taken as encoded when it holds escapes, every "%" starts one and it decodes to UTF-8.
    """
    key = text.strip()
    if "%" not in key or key.count("%") != len(_ESCAPE.findall(key)):
        return key
    try:
        return unquote(key, errors="strict")
    except UnicodeDecodeError:
        return key


class Keys:
    """The keys of a run, by environment variable; the values never appear in its text form."""

    def __init__(self, values: Mapping[str, str], *, loopback: bool = False) -> None:
        """Keep `values`; on a `loopback` endpoint a variable that is not set gives the demo key."""
        self._values = {name: SecretStr(normalise_key(text)) for name, text in values.items() if text.strip()}
        self._loopback = loopback
        secrets = [secret.get_secret_value() for secret in self._values.values()]
        self.redactor = Redactor([*secrets, DEMO_KEY] if loopback else secrets)

    @classmethod
    def from_environment(cls, *, loopback: bool, env_file: Path | None = None, prefix: str = "EDGE_KEY_") -> Keys:
        """Read every variable with this prefix from the environment and, below it, from a .env file."""
        filed = dotenv_values(env_file) if env_file is not None and env_file.is_file() else {}
        merged = {**{name: text or "" for name, text in filed.items()}, **os.environ}
        return cls({name: text for name, text in merged.items() if name.startswith(prefix)}, loopback=loopback)

    @classmethod
    def demo(cls) -> Keys:
        """Return keys for a replica this run started itself: the demo key only, whatever is configured."""
        return cls({}, loopback=True)

    def get(self, auth: Auth) -> str | None:
        """Return the decoded key for `auth`, or None where none is configured."""
        return self.value(auth.env)

    def value(self, variable: str) -> str | None:
        """Return the decoded key in an environment variable, or None where it is not set."""
        secret = self._values.get(variable)
        if secret is not None:
            return secret.get_secret_value()
        return DEMO_KEY if self._loopback else None

    def missing(self, auths: Sequence[Auth]) -> list[str]:
        """Return the variables that have to be set for these keys and are not."""
        wanted = dict.fromkeys(name for auth in auths for name in auth.variables)
        return [name for name in wanted if self.value(name) is None]

    def __repr__(self) -> str:
        """Return the variables that are set, not their values."""
        return f"Keys({', '.join(sorted(self._values))})"


class Redactor:
    """Masks every form in which a key can turn up in text: raw, percent-encoded in either case, JSON-escaped."""

    def __init__(self, secrets: list[str]) -> None:
        """Prepare the patterns; keys too short to be told from ordinary words are left to the request builder."""
        self._all = _forms([secret for secret in secrets if len(secret) >= _SHORTEST_MASKED])
        self._long = _forms([secret for secret in secrets if len(secret) >= _SHORTEST_IN_BODY])
        self._secrets = _plain([secret for secret in secrets if len(secret) >= _SHORTEST_IN_BODY])

    def learn(self, secret: str) -> None:
        """Mask one more secret from now on: a token that a platform gave out during the run."""
        self._all += tuple(form for form in _forms([secret]) if form not in self._all)
        self._long += tuple(form for form in _forms([secret]) if form not in self._long)
        self._secrets |= _plain([secret])

    def scrub(self, text: str) -> str:
        """Return `text` with keys masked: for messages and errors. One that still spells a key is masked as a whole."""
        masked = _mask(text, self._all)
        return MASK if self.hides(masked) else masked

    def scrub_body(self, text: str) -> str:
        """Return a response text with long keys masked: some platforms echo the request."""
        return _mask(text, self._long)

    def hides(self, text: str) -> bool:
        """Whether a long key is in a text in any spelling, percent, HTML and JSON escapes on top of each other."""
        plain = _resolved(text)
        return plain is None or any(secret in text or secret in plain for secret in self._secrets)


def _resolved(text: str) -> str | None:
    """Return a text without escapes, or None where they do not end: nobody escapes that often without a purpose."""
    for _ in range(_DEEPEST_ESCAPES):
        plain = _unescaped(text)
        if plain == text:
            return text
        text = plain
    return None


def _plain(secrets: list[str]) -> frozenset[str]:
    """Return the secrets as they are found in a text without escapes."""
    return frozenset(form for secret in secrets for form in (secret, _resolved(secret)) if form)


def _unescaped(text: str) -> str:
    if "\\" in text:
        text = _CODE_UNIT.sub(lambda match: chr(int(match.group(1), 16)), text).replace("\\/", "/")
    if "&" in text:
        text = html.unescape(text)
    return unquote(text) if "%" in text else text


def _forms(secrets: list[str]) -> tuple[str, ...]:
    """Return all spellings of the secrets, the longest first, so that no piece of a longer one stays behind."""
    forms: set[str] = set()
    for secret in secrets:
        once = quote(secret, safe="")
        for escaped in (secret, once, quote_plus(secret), quote(secret), quote(once)):
            forms |= {escaped, _lower_escapes(escaped), json.dumps(escaped)[1:-1], escaped.replace("/", "\\/")}
            forms.add(html.escape(escaped))
    return tuple(sorted(forms, key=lambda form: (-len(form), form)))


def _mask(text: str, forms: tuple[str, ...]) -> str:
    for form in forms:
        if form in text:
            text = text.replace(form, MASK)
    return text


def _lower_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda match: match.group().lower(), text)
