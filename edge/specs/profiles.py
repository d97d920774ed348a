"""profile.yaml and the `profile:` blocks of a platform -> the wire facts that each of its tools carries."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from edge.errors import SpecError
from edge.ids import digest_bytes
from edge.specs.file_models import ProfileBlock, ServicesFile, checked
from edge.specs.model import Auth, CodeRule, Envelope, Paging, Profile
from edge.specs.plain import Plain, decode, read_yaml
from edge.specs.urls import host_of

PROFILE_FILE = "profile.yaml"
Tree = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the platform that serves a document, or one service of it.

    `tree` is the merged block, so that an operation can still be merged over it. `hidden` names parameters that are
    never offered. `base_url` is "" for a whole platform. `source` is the profile file, for the spec hash.
    """

    tree: Tree
    base_url: str = ""
    provider: str = ""
    domain: str = ""
    service: str = ""
    source: bytes = b""
    known: bool = True

    @property
    def platform(self) -> str:
        """The platform's short name."""
        return str(self.tree.get("platform", ""))


def merge(base: Tree, over: Tree) -> dict[str, object]:
    """Return `base` with `over` on top: mappings merge key by key, everything else (lists, None) replaces."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = merge(cast("Tree", below), cast("Tree", value))
        else:
            merged[key] = value
    return merged


def profile_of(tree: Tree, where: str = "profile") -> tuple[Profile, frozenset[str]]:
    """Return the checked profile of a merged block and the names it hides from models.

    Raises:
        SpecError: a key of the block is unknown or wrong.
    """
    block = checked(ProfileBlock, dict(tree), where)
    envelope = block.envelope
    profile = Profile(
        platform=block.platform,
        title=block.title,
        hosts=tuple(host.lower() for host in block.hosts),
        auth=Auth(**block.auth.model_dump()) if block.auth else None,
        envelope=Envelope(
            records=envelope.records,
            total=envelope.total,
            code=envelope.code,
            message=envelope.message,
            success=envelope.success,
            codes=tuple(CodeRule(r.outcome, r.reason, r.code, r.pattern) for r in envelope.codes),
            missing=envelope.missing,
            empty_without_records=envelope.empty_without_records,
            archive=envelope.archive,
        ),
        paging=Paging(**block.paging.model_dump()) if block.paging else None,
        fixed=dict(block.fixed),
        headers=dict(block.headers),
        timeout_s=block.timeout_s,
        concurrency=block.concurrency,
        per_second=block.per_second,
        ciphers=block.ciphers,
        languages=block.languages,
    )
    return profile, _served(profile) | frozenset(block.hidden)


def _served(profile: Profile) -> frozenset[str]:
    """Return the names that the gateway client fills in itself."""
    paging = (profile.paging.page, profile.paging.size) if profile.paging else ()
    return frozenset((*paging, *profile.fixed, *((profile.auth.parameter,) if profile.auth else ())))


def read_profile(path: Path) -> tuple[Tree, bytes]:
    """Return the block of a profile file and its bytes.

    Raises:
        SpecError: unreadable, not YAML, or not a valid profile.
    """
    data = path.read_bytes()
    tree = read_yaml(decode(data))
    if not isinstance(tree, dict):
        raise SpecError("a profile is a mapping; see docs/design/spec-format.md")
    profile_of(cast("Tree", tree), "")
    return cast("Tree", tree), data


@dataclass(slots=True)
class ProfileBook:
    """All profiles of a specs root, found by host or by the base URL of a service."""

    platforms: dict[str, Facts] = field(default_factory=dict[str, Facts])
    services: dict[str, Facts] = field(default_factory=dict[str, Facts])

    @classmethod
    def read(cls, root: Path) -> ProfileBook:
        """Return the book of the folders below `root`; a broken profile is left out here and reported by its folder."""
        book = cls()
        for path in sorted(root.glob(f"*/{PROFILE_FILE}")):
            try:
                book.add_folder(path.parent)
            except (SpecError, OSError):
                continue
        return book

    def add_folder(self, folder: Path) -> Facts:
        """Read one platform folder into the book and return its facts.

        Raises:
            SpecError: the profile file is wrong.
        """
        tree, data = read_profile(folder / PROFILE_FILE)
        facts = Facts(tree, source=data)
        hosts = cast("list[str]", tree.get("hosts") or [])
        domains: set[str] = set()
        for path in sorted(folder.glob("*.y*ml")):
            if path.name != PROFILE_FILE:
                domains |= self._add_services(path, facts)
        if len(domains) == 1:
            facts = replace(facts, domain=domains.pop())
        self.platforms.update({host.lower(): facts for host in hosts})
        return facts

    def _add_services(self, path: Path, platform: Facts) -> set[str]:
        """Take in the services of one file and return their domains."""
        try:
            tree: Plain = read_yaml(decode(path.read_bytes()))
            if not isinstance(tree, dict) or "services" not in tree:
                return set()
            services = checked(ServicesFile, tree).services
        except (SpecError, OSError):
            return set()  # reported when the file itself is compiled
        for service in services:
            merged = merge(platform.tree, service.profile)
            self.services[_key(service.base_url)] = Facts(
                merged, service.base_url, service.provider, service.domain, service.service, platform.source
            )
        return {service.domain for service in services}

    def services_or(self, beside: Facts | None, base_url: str) -> Facts:
        """Return what is known of `base_url`, else the profile lying beside the document, else the generic one."""
        found = self.find(base_url)
        return beside if beside and not found.known else found

    def find(self, base_url: str) -> Facts:
        """Return what is known of `base_url`: its service, else its host's platform, else the generic profile."""
        host = host_of(base_url)
        bare = host.partition(":")[0]
        known = self.services.get(_key(base_url)) or self.platforms.get(host) or self.platforms.get(bare)
        return known or generic(host)


def _key(base_url: str) -> str:
    return re.sub(r"^\w+://", "", base_url).rstrip("/").casefold()


@functools.cache
def _generic_source() -> bytes:
    return (Path(__file__).parent / "generic.yaml").read_bytes()


def generic(host: str) -> Facts:
    """Return the profile of a host that no platform names; its key comes from `EDGE_KEY_<HOST>`."""
    slug = re.sub(r"[^a-z0-9]+", "_", host.lower()).strip("_") or "unknown"
    slug = slug if slug[0].isalpha() else f"h_{slug}"
    text = decode(_generic_source()).replace("{slug}", slug).replace("{host}", host)
    tree = read_yaml(text)
    if not isinstance(tree, dict):
        raise SpecError("generic.yaml is not a mapping; reinstall edge-synthesis")
    return Facts(cast("Tree", tree), source=_generic_source(), known=False)


@functools.cache
def usual_records() -> tuple[str, ...]:
    """Return the places where records usually are, for documents that do not follow their platform."""
    return profile_of(generic("any.host").tree)[0].envelope.records


def key_variable(platform: str) -> str:
    """Return the name of the environment variable that holds a platform's key."""
    return f"EDGE_KEY_{re.sub(r'[^A-Z0-9]+', '_', platform.upper()).strip('_')}"


def spec_hash(facts: Facts, data: bytes) -> str:
    """Return the hash of what a tool was compiled from: profile and file, so that a change in either shows."""
    return digest_bytes(facts.source + b"\0" + data)
