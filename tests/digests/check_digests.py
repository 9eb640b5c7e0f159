#!/usr/bin/env python3
"""Compares what the binary writes and prints on the sample with recorded digests.

    python3 tests/digests/check_digests.py BINARY [--record]

The commands are those of README.md, of the tutorials, of the recipes in pipelines/ that read the sample, and
of commands.sh here, which makes what is left: every format and the `--json` of every command that has it.
They run once as they are, and then for one and two threads and two memory limits each: a program of the
same name, earlier on PATH, adds `--threads` and `--memory` to each command that has these flags.

recorded.json has three parts. `artefacts`: the SHA-256 of every file that is written, and of every JSON text
without its times, memory and runs; these are the same in all five runs. `messages`: of all that the commands
of a page print, times and memory left out. `help`: of `--help` of each command, and of the manual.
A change that is meant to alter no output alters none of them. A change that is meant to alter one records it
anew (`--record`, or `make check-digests RECORD=1`) and names it in its commit.
"""

import argparse
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDED = HERE / "recorded.json"
THREADS = ("1", "2")
MEMORY = ("32MiB", "1GiB")
# Keys of a summary that depend on the machine, its load, the threads or the memory limit.
VOLATILE = {"seconds", "peak_rss_bytes", "runs", "bytes_spilled"}
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# The program that stands before the binary on PATH.
WRAPPER = """#!/bin/sh
name="$1"
case "$1" in export|import|learn|experience|cluster) name="$1 $2" ;; esac
if [ -n "$ADDED" ] && grep -qxF "$name" "$TAKING"; then
  case " $* " in
    *" -j"*|*" --threads"*|*" --memory"*) ;;
    *) exec "$BINARY" "$@" $ADDED ;;
  esac
fi
exec "$BINARY" "$@"
"""


def digest(data: bytes) -> str:
    """The SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def commands(binary: Path) -> Iterator[list[str]]:
    """Every command, and every command below one, as the help lists them."""

    def below(words: list[str]) -> Iterator[list[str]]:
        text = subprocess.check_output([binary, *words, "-h"], text=True)
        found = re.search(r"^Commands:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
        for name in re.findall(r"^  (\w[\w-]*)", found.group(1), re.MULTILINE) if found else []:
            if name != "help":
                yield [*words, name]
                yield from below([*words, name])

    yield from below([])


def helps(binary: Path) -> dict[str, str]:
    """The text of `--help` of each command, and the manual."""
    texts = {
        " ".join(words): subprocess.check_output([binary, *words, "--help"], text=True)
        for words in commands(binary)
    }
    texts["manual"] = subprocess.check_output(
        [binary, "manual", "--format", "markdown", "-o", "-"], text=True
    )
    return texts


def scripts() -> Iterator[tuple[str, str]]:
    """The name of each page and its commands as one script."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("tutorial-*.md"))]:
        blocks = FENCE.findall(page.read_text(encoding="utf-8"))
        # Programs of others are judged elsewhere.
        own = [block for block in blocks if not re.search(r"\bduckdb |import polars", block)]
        yield page.name, "\n".join(own)
    for recipe in sorted((ROOT / "pipelines").glob("*.toml")):
        if "data/sample.pgn" in recipe.read_text(encoding="utf-8"):
            yield recipe.name, f"tabia run pipelines/{recipe.name}"
    yield "commands.sh", (HERE / "commands.sh").read_text(encoding="utf-8")


def without_volatile(value: object) -> object:
    """A JSON value without what depends on the machine."""
    if isinstance(value, dict):
        return {key: without_volatile(of) for key, of in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        return [without_volatile(item) for item in value]
    return value


def contents(path: Path) -> bytes:
    """The bytes of a file; of a summary, what is the same on every machine."""
    data = path.read_bytes()
    if not path.name.endswith(".json"):
        return data
    try:
        return json.dumps(without_volatile(json.loads(data)), indent=1).encode()
    except ValueError:
        return data


def words(printed: bytes) -> bytes:
    """What was printed, without times and memory."""
    lines = (line for line in printed.splitlines(keepends=True) if b" s, peak memory " not in line)
    return b"".join(lines)


def run(page: str, script: str, environment: dict[str, str]) -> tuple[dict[str, str], bytes]:
    """Runs a page's commands in a new folder; the digest of each file there, and what was printed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for given in ("data", "pipelines"):
            (folder / given).symlink_to(ROOT / given)
        done = subprocess.run(
            ["bash", "-ec", f"exec 2>&1\n{script}"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"{page}: exit code {done.returncode}\n{done.stdout.decode(errors='replace')}")
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        files = {f"{page}: {path.relative_to(folder)}": digest(contents(path)) for path in paths}
        return files, words(done.stdout)


def taking(binary: Path, texts: dict[str, str]) -> str:
    """The commands with both flags, one a line."""
    names = (name for name, text in texts.items() if "--threads" in text and "--memory" in text)
    return "".join(f"{name}\n" for name in names if name != "manual")


def look(binary: Path) -> dict[str, dict[str, str]]:
    """All digests of a binary; ends where a file differs between two settings."""
    texts = helps(binary)
    found = {"artefacts": {}, "messages": {}, "help": {k: digest(v.encode()) for k, v in texts.items()}}
    settings = ["", *(f"-j {j} --memory {memory}" for j, memory in itertools.product(THREADS, MEMORY))]
    with tempfile.TemporaryDirectory() as name:
        first = Path(name)
        (first / "tabia").write_text(WRAPPER)
        (first / "tabia").chmod(0o755)
        (first / "taking").write_text(taking(binary, texts))
        python = Path(shutil.which("python3") or sys.executable).parent
        environment = {
            "PATH": f"{first}:{python}:{os.environ['PATH']}",
            "BINARY": str(binary),
            "TAKING": str(first / "taking"),
            "COLUMNS": "100",
        }
        for page, script in scripts():
            for added in settings:
                files, printed = run(page, script, {**environment, "ADDED": added})
                if not added:
                    found["artefacts"].update(files)
                    found["messages"][page] = digest(printed)
                elif unequal := [key for key, of in files.items() if found["artefacts"].get(key) != of]:
                    sys.exit(f"{added}: not the bytes of the default settings: {', '.join(unequal)}")
            print(f"ran {page}", file=sys.stderr, flush=True)
    return found


def main() -> int:
    """Compares or records; 1 if a digest has changed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("binary", type=Path)
    parser.add_argument("--record", action="store_true", help="record what is found")
    given = parser.parse_args()
    found = look(given.binary.resolve())
    if given.record:
        RECORDED.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"recorded {sum(map(len, found.values()))} digests")
        return 0
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    changed = [
        f"{part}: {key}"
        for part in found
        for key in sorted(found[part].keys() | recorded[part].keys())
        if found[part].get(key) != recorded[part].get(key)
    ]
    for line in changed:
        print(f"changed  {line}")
    print(f"{sum(map(len, found.values())) - len(changed)} digests equal, {len(changed)} changed")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
