"""A bucket of a server on this machine, whatever its protocol."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Self


class Bucket(ABC):
    """The bucket `games`, and what is particular to its store."""

    store: ClassVar[str]
    scheme: ClassVar[str]
    # What the first line of a request has that sends a part of an upload, and of one that removes objects.
    part: ClassVar[str] = "partNumber"
    removal: ClassVar[str]
    # A variable that is named where access is refused, and what a server says that has no such bucket.
    credentials: ClassVar[str]
    missing_bucket: ClassVar[str] = "NoSuchBucket"
    # The port of the server, on loopback, and what no message may have.
    port: int
    secrets: tuple[str, ...]

    def url(self, name: str) -> str:
        """The URL of an object or a folder."""
        return f"{self.scheme}://games/{name}"

    @abstractmethod
    def environment(self, endpoint: str = "") -> dict[str, str]:
        """What a program needs to reach it, if it listens elsewhere by a relay."""

    @abstractmethod
    def wrong(self) -> list[Mapping[str, str]]:
        """Environments with wrong credentials, and at the end one with none."""

    @abstractmethod
    def guarded(self, folder: Path) -> Self:
        """One that checks credentials."""

    @abstractmethod
    def put(self, name: str, content: bytes) -> str:
        """Makes an object; its URL."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Removes an object."""

    @abstractmethod
    def objects(self, prefix: str) -> dict[str, bytes]:
        """The objects below a prefix, by the rest of their names."""

    @abstractmethod
    def unfinished(self) -> int:
        """Uploads that were begun and neither finished nor taken back."""
