#!/usr/bin/env python3
"""Opens reports in a headless Chromium, as a reader would.

    PYTHONPATH=tests tests/peers/check_report.py BINARY FILE.pgn [--screenshots DIR]

Counts the file, makes reports of a grouped table and of a book, and opens them. Fails on any
message of the browser's console, on a page that is too large, on a picture that was not drawn, on
a tree without its board, and on an empty screenshot. On a phone, light and dark, nothing may be
scrolled sideways, charts are one below the other, and texts have the contrast that WCAG 2.1 asks
for; squares of the board keep their colours when they are printed.
Without Chromium it prints a note and passes. Needs nothing but Python.
"""

import argparse
import html
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from judge.report import Case, Skipped, main_of_cases
from judge.run import Ran, must

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WINDOW = "1280,3600"
SECONDS_MAX = 120
EMPTY_SCREENSHOT_BYTES = 40_000
"""A white page of this size takes some 20 kB as PNG."""
BOXES_LEAST = 50
BYTES_MOST = 1_500_000
HOSTILE = '</title><script>console.error("a title ran")</script>'
HOSTILE_FILE = '<img src=x onerror=console.error("a name ran")>.pgn'
CONSOLE = re.compile(r"CONSOLE[^\]]*\] (.*)")
PHONE_PX = 390
CONTRAST_LEAST = 4.5
SCHEMES = {"dark": 0, "light": 1}
"""What the browser calls the colours that a reader prefers."""
MEASURE = """<script>
const names = ["body", "dt", "summary", "nav button", "thead th", "tbody .line", "footer", ".board p"];
const colors = names.map((name) => {
  const it = document.querySelector(name);
  return [name, it && getComputedStyle(it).color];
});
const charts = [...document.querySelectorAll("figure .chart:not(.wide), .boxes")];
const asks = () => parent.postMessage({
  wide: document.documentElement.scrollWidth,
  chart: Math.max(...charts.map((it) => it.getBoundingClientRect().right)),
  lefts: [...new Set(charts.map((it) => Math.round(it.getBoundingClientRect().left)))],
  back: getComputedStyle(document.body).backgroundColor,
  printed: getComputedStyle(document.querySelector(".squares .dark")).printColorAdjust,
  colors,
}, "*");
addEventListener("load", asks);
</script>"""
FRAME = """<body style="margin:0"><iframe src="PAGE" width="WIDTH" height="800"></iframe><script>
addEventListener("message", (it) => (document.body.dataset.measured = JSON.stringify(it.data)));
</script>"""
MEASURED = re.compile(r'data-measured="([^"]*)"')
FIGURE = re.compile(r'<figure id="([^"]+)"')


def browse(browser: str, page: Path, *wish: str) -> Ran:
    """Opens a page without a network, and has the browser do one thing with it."""
    with tempfile.TemporaryDirectory(prefix="tabia-browser-") as profile:
        flags = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
        flags += [f"--user-data-dir={profile}", f"--window-size={WINDOW}"]
        flags += ["--virtual-time-budget=20000", "--enable-logging=stderr", "--v=0"]
        flags += ["--host-resolver-rules=MAP * ~NOTFOUND"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        return must(browser, *flags, *wish, page.as_uri(), seconds=SECONDS_MAX)


def check(browser: str, page: Path, screenshot: Path) -> Iterator[str]:
    """Everything wrong with a page."""
    shown = browse(browser, page, "--dump-dom")
    drawn = browse(browser, page, f"--screenshot={screenshot}")
    for said in CONSOLE.findall(shown.err + drawn.err):
        yield f"the console says {said}"
    if page.stat().st_size > BYTES_MOST:
        yield f"the page has {page.stat().st_size} bytes"
    pictures = dict(
        (FIGURE.match(part)[1], part.partition("</figure>")[0])
        for part in re.split(r"(?=<figure )", shown.text)[1:]
    )
    if "tree" not in pictures:
        yield f"no tree among the pictures {list(pictures)}"
    for id_, picture in pictures.items():
        if "<rect" not in picture:
            yield f"the picture {id_} is not drawn"
        boxes = picture.count("data-board=")
        if id_ == "tree" and (boxes < BOXES_LEAST or "<button>" not in picture or "♚" not in picture):
            yield f"the tree has {boxes} boxes, or the script that opens them did not run"
    for scheme in SCHEMES:
        yield from check_phone(browser, page, scheme)
    if not screenshot.exists() or screenshot.stat().st_size < EMPTY_SCREENSHOT_BYTES:
        yield "the screenshot is empty"


def luminance(color: str) -> float:
    """How bright a colour is by WCAG 2.1; it is written as a browser does, `rgb(1, 2, 3)`."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = (it / 12.92 if it <= 0.03928 else ((it + 0.055) / 1.055) ** 2.4 for it in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def check_phone(browser: str, page: Path, scheme: str) -> Iterator[str]:
    """What is wrong with a page on a phone, where readers prefer light or dark."""
    with tempfile.TemporaryDirectory(prefix="tabia-phone-") as folder:
        copy, frame = Path(folder, "page.html"), Path(folder, "frame.html")
        copy.write_text(page.read_text().replace("</body>", MEASURE + "</body>"))
        frame.write_text(FRAME.replace("PAGE", copy.name).replace("WIDTH", str(PHONE_PX)))
        preferred = f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"
        shown = browse(browser, frame, preferred, "--dump-dom")
    found = MEASURED.search(shown.text)
    if found is None:
        yield f"{scheme}: nothing was measured"
        return
    measured = json.loads(html.unescape(found[1]))
    if max(measured["wide"], measured["chart"]) > PHONE_PX:
        yield f"{scheme}: {measured['wide']} px wide, charts {measured['chart']} px"
    if len(measured["lefts"]) != 1:
        yield f"{scheme}: more than one column, at {measured['lefts']} px"
    if measured["printed"] != "exact":
        yield f"squares are printed without their colours: {measured['printed']}"
    back = luminance(measured["back"])
    if (back < 0.5) != (scheme == "dark"):
        yield f"{scheme}: the background is {measured['back']}"
    for name, color in measured["colors"]:
        less, more = sorted([back, luminance(color)]) if color else (0, 1)
        if (more + 0.05) / (less + 0.05) < CONTRAST_LEAST:
            yield f"{scheme}: {name} is {color} on {measured['back']}"


def make_pages(binary: Path, pgn: Path, folder: Path) -> Iterator[Path]:
    """Reports of a grouped table under a hostile name, of the table from a line, and of a book."""
    games = folder / HOSTILE_FILE
    shutil.copyfile(pgn, games)
    table, book = folder / "games.table", folder / "book.tabia"
    by = ("--by", "speed,rating-band,month")
    must(binary, "count", games, "-o", table, "--quiet", "--min-elo", 2200, *by)
    must(binary, "compact", table, "-o", book, "--quiet", "--min-games", 3)
    wishes = {
        "table": (table, "--title", HOSTILE),
        "line": (table, "--line", "e4", "--plies", 8),
        "book": (book,),
    }
    for name, wish in wishes.items():
        page = folder / f"{name}.html"
        must(binary, "report", *wish, "-o", page, "--quiet")
        yield page


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """All reports."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise Skipped("no Chromium, so no report was opened in a browser")
    screenshots = args.screenshots or args.place
    screenshots.mkdir(parents=True, exist_ok=True)
    for page in make_pages(args.binary, args.pgn, args.place):
        screenshot = screenshots / f"{page.stem}.png"
        yield Case(f"report of a {page.stem}", partial(check, browser, page, screenshot))


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", "pgn", screenshots=None)
