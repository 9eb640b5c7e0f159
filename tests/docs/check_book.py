#!/usr/bin/env python3
"""Checks the links of the book that `make book` wrote: check_book.py target/book/docs

Exits 1 if a relative link leads to no file, or to no heading of a page.
"""

import argparse
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from judge.report import Case, main_of_cases


class Page(HTMLParser):
    """The links of a page, and what links can name in it."""

    def __init__(self, path: Path) -> None:
        """Reads it."""
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keeps what links and what can be linked to."""
        given = dict(attrs)
        self.names |= {name for name in (given.get("id"), given.get("name")) if name}
        link = given.get("href" if tag == "a" else "src" if tag == "img" else "")
        if link:
            self.links.append(link)


def broken(folder: Path) -> Iterator[str]:
    """Links that lead nowhere, with their pages."""
    paths = [path for path in sorted(folder.glob("*.html")) if path.name not in ("404.html",)]
    pages = {path.resolve(): Page(path) for path in paths}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            if not target.exists():
                yield f"{path.name}: {link}"
            elif parts.fragment and known and unquote(parts.fragment) not in known.names:
                yield f"{path.name}: {link}: no such heading"


def cases(given: argparse.Namespace) -> Iterator[Case]:
    """One case, of all pages."""
    pages = len(list(given.book.glob("*.html")))
    yield Case(f"{given.book}: {pages} pages", lambda: broken(given.book) if pages else ["no page"])


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "book")
