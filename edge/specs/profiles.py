"""profile.yaml and the `profile:` blocks of a platform -> the wire facts that each of its tools carries."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from edge.errors import SpecError
from edge.ids import digest_bytes
from edge.specs.file_models import AuthBlock, CatalogueBlock, ProfileBlock, ServiceBlock, ServicesFile, checked
from edge.specs.model import Auth, CodeRule, Envelope, Paging, Profile, Quota, Token
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

    @property
    def catalogue(self) -> CatalogueBlock | None:
        """Where the services of this platform's catalogue live."""
        block = self.tree.get("catalogue")
        return checked(CatalogueBlock, cast("dict[str, object]", block), "catalogue") if block else None


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
    first, *more = [_auth(auth) for auth in block.auth or ()] or [None]
    profile = Profile(
        platform=block.platform,
        title=block.title,
        hosts=tuple(host.lower() for host in block.hosts),
        auth=first,
        envelope=Envelope(
            records=envelope.records,
            total=envelope.total,
            code=envelope.code,
            message=envelope.message,
            success=envelope.success,
            codes=tuple(CodeRule(**rule.model_dump()) for rule in envelope.own_codes + envelope.codes),
            missing=envelope.missing,
            empty_without_records=envelope.empty_without_records,
            ambiguous_empty=envelope.ambiguous_empty,
            archive=envelope.archive,
        ),
        paging=Paging(**block.paging.model_dump()) if block.paging else None,
        fixed=dict(block.fixed),
        headers=dict(block.headers),
        timeout_s=block.timeout_s,
        concurrency=block.concurrency,
        per_second=block.per_second,
        quota=Quota(**block.quota.model_dump()),
        ciphers=block.ciphers,
        languages=block.languages,
        control=block.control,
        more_auth=tuple(auth for auth in more if auth),
    )
    return profile, _served(profile) | frozenset(block.hidden)


def _auth(block: AuthBlock) -> Auth:
    token = Token(**block.token.model_dump()) if block.token else None
    return Auth(block.parameter, block.location, block.env or "", block.prefix, token)


def _served(profile: Profile) -> frozenset[str]:
    """Return the names that the gateway client fills in itself."""
    paging = (profile.paging.page, profile.paging.size) if profile.paging else ()
    return frozenset((*paging, *profile.fixed, *(auth.parameter for auth in profile.keys)))


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
    """All profiles of a specs root, found by host, by the base URL of a service, or by codes of a catalogue."""

    platforms: dict[str, Facts] = field(default_factory=dict[str, Facts])
    services: dict[str, Facts] = field(default_factory=dict[str, Facts])
    codes: dict[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    catalogues: dict[str, Facts] = field(default_factory=dict[str, Facts])

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
        services = [block for path in sorted(folder.glob("*.y*ml")) for block in self._add_services(path, facts)]
        domains = {block.domain for block in services}
        if len(domains) == 1:
            facts = replace(facts, domain=domains.pop())
        self.platforms.update({host.lower(): facts for host in hosts})
        if facts.catalogue:
            self.catalogues[facts.platform] = facts
            paths = (str(operation.get("path")) for block in services for operation in block.listed)
            self.codes[facts.platform] = frozenset(path.rpartition("/")[2] for path in paths)
        return facts

    def _add_services(self, path: Path, platform: Facts) -> tuple[ServiceBlock, ...]:
        """Take in the services of one file and return them; () for a file that is no service file."""
        if path.name == PROFILE_FILE:
            return ()
        try:
            tree: Plain = read_yaml(decode(path.read_bytes()))
            if not isinstance(tree, dict) or "services" not in tree:
                return ()
            services = [service for raw in checked(ServicesFile, tree).services for service in _service(raw)]
        except (SpecError, OSError):
            return ()  # reported when the file itself is compiled
        for service in services:
            merged = merge(platform.tree, service.profile)
            self.services[_key(service.base_url)] = Facts(
                merged, service.base_url, service.provider, service.domain, service.service, platform.source
            )
        return tuple(services)

    def listing(self, codes: Set[str]) -> tuple[Facts | None, int]:
        """Return the platform that most of these catalogue codes are known of, and how many are; None where too few.

        One code of a long catalogue may be the same by chance, two hardly.
        """
        known = {platform: len(codes & self.codes[platform]) for platform in self.catalogues}
        best = max(known, key=lambda platform: known[platform], default="")
        number = known.get(best, 0)
        return (self.catalogues[best] if number >= min(2, len(codes) or 1) else None), number

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


def _service(raw: object) -> tuple[ServiceBlock, ...]:
    """Return the service, () where it is wrong: that is reported when its file is compiled."""
    try:
        return (checked(ServiceBlock, raw),)
    except SpecError:
        return ()


def _key(base_url: str) -> str:
    return re.sub(r"^\w+://", "", base_url).rstrip("/").casefold()


@functools.cache
def _generic_source() -> bytes:
    return (Path(__file__).parent / "generic.yaml").read_bytes()


@functools.cache
def _generic_tree() -> Tree:
    tree = read_yaml(decode(_generic_source()))
    if not isinstance(tree, dict):
        raise SpecError("generic.yaml is not a mapping; reinstall edge-synthesis")
    return cast("Tree", tree)


def generic(host: str) -> Facts:
    """Return the profile of a host that no platform names; its key comes from `EDGE_KEY_<HOST>`."""
    slug = re.sub(r"[^a-z0-9]+", "_", host.lower()).strip("_") or "unknown"
    slug = slug if slug[0].isalpha() else f"h_{slug}"
    # The host is a document's word: it goes into the tree, never into text that is read as YAML.
    named = {**_generic_tree(), "platform": slug, "title": host, "hosts": [host]}
    return Facts(named, source=_generic_source(), known=False)


def key_variable(platform: str) -> str:
    """Return the name of the environment variable that holds a platform's key."""
    return f"EDGE_KEY_{re.sub(r'[^A-Z0-9]+', '_', platform.upper()).strip('_')}"


def spec_hash(facts: Facts, data: bytes) -> str:
    """Return the hash of what a tool was compiled from: profile and file, so that a change in either shows."""
    return _digest(facts.source, data)


@functools.lru_cache(maxsize=4)  # every tool of a large document asks for the same one
def _digest(source: bytes, data: bytes) -> str:
    return digest_bytes(source + b"\0" + data)
