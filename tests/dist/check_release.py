"""Installs each file of a release in a new Debian without compilers, up to the first book and the page.

    PYTHONPATH=tests python3 tests/dist/check_release.py target/release-files README.md

debootstrap makes a Debian 12 and a Debian 11 (glibc 2.31) in target/chroots. A copy of one gets a file of
the release and the sample; there the README's words install it and make the first book, and `tabia serve`
is asked for its page. All that may take a minute; time and size are printed. As root.
"""

import argparse
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.report import ROOT, SAMPLE, Case, Failed, main_of_cases
from judge.run import must
from judge.server import Server

SUMS = ("sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS")
CHROOTS = ROOT / "target/chroots"
SECONDS_MAX = 60
ENVIRONMENT = ["/usr/bin/env", "-i", "HOME=/root", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]

# What each Debian has besides: what unpacks, and, where Python is new enough, what installs wheels.
PACKAGES = {"bookworm": "zstd,python3-venv", "bullseye": "zstd"}
# Which files of a release install where, by how their names end.
INSTALLED = {".tar.zst": ("bookworm", "bullseye"), ".deb": ("bookworm", "bullseye"), ".whl": ("bookworm",)}

# The Python module, and the server, as a shell runs them after the README's words.
MODULE = """python3 -c 'import tabia
assert tabia.Book("book.tabia").probe("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").games > 2000'"""
SERVE = '[ ! -e .venv ] || . .venv/bin/activate; exec tabia serve book.tabia "$@"'


def blocks(readme: str, heading: str) -> list[str]:
    """The blocks of commands below a heading."""
    section = readme.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^```sh[^\n]*\n(.*?)^```", section, re.DOTALL | re.MULTILINE)


def new_debian(release: str) -> Path:
    """A copy of a Debian that debootstrap made."""
    made, copy = CHROOTS / release, CHROOTS / "tried"
    if not (made / "made").exists():
        shutil.rmtree(made, ignore_errors=True)
        CHROOTS.mkdir(parents=True, exist_ok=True)
        targets = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
        mirror = subprocess.run(targets, capture_output=True, text=True, check=True).stdout.split()[0]
        options = ["--variant=minbase", f"--include={PACKAGES[release]}"]
        with (CHROOTS / f"{release}.log").open("w") as log:
            subprocess.run(["debootstrap", *options, release, made, mirror], stdout=log, check=True)
        (made / "made").touch()
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", made, copy], check=True)
    return copy


@dataclass(frozen=True)
class Installation:
    """A file of a release in a Debian, and the README's words for it."""

    file: Path
    release: str
    words: list[str]

    def check(self) -> str:
        """Installs it, makes the first book and asks for the page; its size and how long that took."""
        root = new_debian(self.release)
        compilers = [name for name in ("cc", "gcc", "clang", "cargo") if (root / "usr/bin" / name).exists()]
        if compilers:
            raise Failed(f"this Debian has {compilers}")
        home = root / "root"
        (home / "data").mkdir()
        shutil.copy(SAMPLE, home / "data")
        shutil.copy(self.file, home)
        begun = time.monotonic()
        self.run(root, [*self.words, MODULE if self.file.suffix == ".whl" else ""])
        with Server(["chroot", root, *ENVIRONMENT, "sh", "-c", f"cd /root; {SERVE}", "sh"]) as server:
            page, script = server.get("/"), server.get("/page/page.js")
        seconds = time.monotonic() - begun
        if b"page/page.js" not in page or len(script) < 50_000 or seconds > SECONDS_MAX:
            raise Failed(f"{seconds:.1f} s; the page: {page[:200]!r}")
        shutil.rmtree(root)
        return f"{self.file.stat().st_size / 1e6:.1f} MB; first book and page after {seconds:.1f} s"

    def run(self, root: Path, commands: list[str]) -> None:
        """Runs commands in a Debian, where root needs no sudo."""
        script = "\n".join(["set -e", "cd /root", 'sudo() { "$@"; }', *commands])
        must("chroot", root, *ENVIRONMENT, "sh", "-c", script, seconds=600)


def cases(given: argparse.Namespace) -> Iterator[Case]:
    """The sums, and every file of a release that installs, in each Debian where it does."""
    yield Case("sums", lambda: must(*SUMS, folder=given.release).text)
    readme = given.readme.read_text()
    for end, releases in INSTALLED.items():
        files = [path for path in given.release.glob(f"*{end}") if "source" not in path.name]
        install = [block for block in blocks(readme, "Install") if end in block]
        if len(files) != 1 or len(install) != 1:
            raise SystemExit(f"error: of *{end} there are {files}, and the README installs them in {install}")
        words = [*install, *blocks(readme, "Your first book")]
        for release in releases:
            yield Case(f"{files[0].name} in {release}", Installation(files[0], release, words).check)


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "release", "readme")
