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
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 32)  # 32: gzip or zlib header, told by itself
        self._chunks: list[bytes] = []
        self._left = limit
        self._first = name == "deflate"

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
        room = self._left + 1  # one byte past the limit is enough to know
        try:
            return self._inflater.decompress(chunk, room)
        except zlib.error:
            if not self._first or self._chunks:
                raise
            self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)  # raw deflate, as some servers send it
            return self._inflater.decompress(chunk, room)
