"""The queue of messages to one visitor."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any


class Outbox:
    """First in, first out; reports to a slow visitor can replace each other."""

    def __init__(self) -> None:
        self._texts: dict[object, str] = {}
        self._some = asyncio.Event()
        self._numbers = itertools.count()
        self.size = 0
        """Characters waiting to be sent."""

    def put(self, message: dict[str, Any], key: object = None) -> None:
        """A message with a key replaces an earlier one with the same key, and moves to the end."""
        text = json.dumps(message, allow_nan=False)
        key = next(self._numbers) if key is None else key
        self.size += len(text) - len(self._texts.pop(key, ""))
        self._texts[key] = text
        self._some.set()

    async def take(self) -> str:
        while not self._texts:
            self._some.clear()
            await self._some.wait()
        text = self._texts.pop(next(iter(self._texts)))
        self.size -= len(text)
        return text
