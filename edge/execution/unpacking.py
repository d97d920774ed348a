"""Content-Encoding -> plain bytes, counted while they are unpacked: a few kilobytes can hold gigabytes."""

from __future__ import annotations

import zlib

ACCEPTED = "gzip, deflate"


class TooLarge(Exception):
    """More bytes than allowed."""


class Unpacker:
    """Collects the chunks of one body; `limit` bounds the plain bytes.

    Raises (from `feed`):
        TooLarge: the limit is passed.
        zlib.error: the body is not what its Content-Encoding says.
    """

    def __init__(self, encoding: str, limit: int) -> None:
        """Unpack "gzip", "x-gzip" or "deflate" (with or without its zlib header); anything else is taken as plain."""
        name = encoding.strip().lower()
        self._packed = name in ("gzip", "x-gzip", "deflate")
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._chunks: list[bytes] = []
        self._left = limit
        self._head = b"" if name == "deflate" else None  # the first bytes of a deflate body, until they are two

    def feed(self, chunk: bytes) -> None:
        """Add a chunk as it came from the wire."""
        plain = self._inflate(chunk) if self._packed else chunk
        self._left -= len(plain)
        if self._left < 0:
            raise TooLarge
        self._chunks.append(plain)

    def body(self) -> bytes:
        """Return the plain body."""
        return b"".join(self._chunks)

    def _inflate(self, chunk: bytes) -> bytes:
        if self._head is not None:
            self._head += chunk
            if len(self._head) < 2:
                return b""
            chunk, self._head = self._head, None
            # "deflate" should carry a zlib header; some servers send it bare
            headed = chunk[0] & 15 == zlib.DEFLATED and int.from_bytes(chunk[:2], "big") % 31 == 0
            self._inflater = zlib.decompressobj(zlib.MAX_WBITS if headed else -zlib.MAX_WBITS)
        return self._inflater.decompress(chunk, self._left + 1)  # one byte past the limit is enough to know
