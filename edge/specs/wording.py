"""what a document says of itself and of an operation -> names, provider and description of a tool."""

from __future__ import annotations

import re

from edge.specs.documents import is_true, mapping_of, text_of
from edge.specs.markup import plain, without_tables
from edge.specs.model import Profile
from edge.specs.nodes import prose_of
from edge.specs.plain import Plain
from edge.specs.urls import UNKNOWN_HOST, Base

_HANGUL = re.compile(r"[가-힣]")
_DEPRECATED = {
    True: "폐기될 예정이므로 다른 기능이 있으면 그것을 쓴다.",
    False: "Deprecated: use another operation where there is one.",
}


def name_of_path(path: str, method: str) -> str:
    """Return a name made of a path."""
    steps = "_".join(re.findall(r"[^/{}]+", path)) or "root"
    return steps if method == "get" else f"{method}_{steps}"


def assumption(what: str, base: Base) -> str:
    """Return what is done about a part of the address that the document leaves out."""
    return f"{base.scheme} is assumed" if what == "scheme" else f"{UNKNOWN_HOST} stands for it: add the host to call it"


def service_of(base: Base, spec_file: str) -> str:
    """Return the service: the last step of the base path, else the file's own name."""
    last = base.path.rpartition("/")[2]
    return last or re.sub(r"\.[^./]+$", "", spec_file)


def provider_of(info: dict[str, Plain], profile: Profile) -> str:
    """Return who provides the service; the portal titles its documents "institution_service"."""
    institution, mark, _ = text_of(info.get("title")).partition("_")
    return institution if mark else text_of(mapping_of(info.get("contact")).get("name")) or profile.title


def description_of(operation: dict[str, Plain], info: dict[str, Plain], title: str) -> str:
    """Return what an operation is said to do: title, prose and the document's own title, each once."""
    service = text_of(info.get("title")).rpartition("_")[2]
    prose = said(prose_of(operation))
    head = "" if prose.startswith(title) else title
    warning = _DEPRECATED[bool(_HANGUL.search(f"{title} {prose} {service}"))] if is_deprecated(operation) else ""
    *sentences, last = [part for part in (head, warning, prose) if part] or [title]
    text = " ".join((*map(sentence, sentences), last))
    return f"{text} ({service})" if service and service != text else text


def said(text: str) -> str:
    """Return a description in one line, without the rows of its tables."""
    return " ".join(without_tables(plain(text)).split())


def sentence(text: str) -> str:
    """Return a text with a full stop at its end, where it has none."""
    return text if text.endswith((".", "!", "?", ":", ";", "…", ",")) else f"{text}."


def is_deprecated(operation: dict[str, Plain]) -> bool:
    """Whether an operation is on its way out."""
    return is_true(operation.get("deprecated"))
