"""what a document says of itself and of an operation -> names, provider and description of a tool."""

from __future__ import annotations

import re

from edge.specs.documents import mapping_of, text_of
from edge.specs.model import Profile
from edge.specs.nodes import prose_of
from edge.specs.plain import Plain
from edge.specs.urls import UNKNOWN_HOST, Base


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
    parts = [title, prose_of(operation), f"({service})" if service else ""]
    return " ".join(dict.fromkeys(" ".join(part.split()) for part in parts if part))
