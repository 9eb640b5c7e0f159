"""A copy of the tree that has all drawn mutants, each behind a switch, compiled once."""

import json
import os
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from draw import Mutant

# The environment variable that chooses a mutant by its number.
CHOSEN = "TABIA_MUTANT"
SWITCH = f"""
pub(crate) mod mutant_switch {{
    static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {{
        std::env::var("{CHOSEN}").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    }});

    #[inline]
    pub(crate) fn is(number: u32) -> bool {{
        *CHOSEN == number
    }}
}}
"""


@dataclass(frozen=True)
class Program:
    """A compiled test binary, run in the folder of its package."""

    package: str
    target: str
    path: Path
    folder: Path


@dataclass
class Built:
    """What was compiled, and which mutants are no programs."""

    programs: list[Program] = field(default_factory=list)
    unviable: set[int] = field(default_factory=set)


def build(root: Path, tree: Path, mutants: list[Mutant]) -> Built:
    """Compiles the tests with all mutants; a mutant that does not compile is left out."""
    original = {name: (root / name).read_bytes() for name in known_files(root)}
    roots = crate_roots(root)
    unviable: set[int] = set()
    while True:
        switched_on = [each for each in mutants if each.number not in unviable]
        place(tree, original | with_switches(original, roots, switched_on))
        programs, wrong = read(compile_tests(root, tree), tree)
        if not wrong:
            return Built(programs, unviable)
        print(f"do not compile: {sorted(wrong)}", flush=True)
        unviable |= wrong


def known_files(root: Path) -> list[str]:
    """The files that git knows, and new ones that it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    return [name for name in listed.decode().split("\0") if (root / name).is_file()]


def place(tree: Path, files: dict[str, bytes]) -> None:
    """Makes these the files of the tree. One that stays as it is is not compiled again."""
    for path in list(tree.rglob("*")):
        if path.is_file() and str(path.relative_to(tree)) not in files:
            path.unlink()
    for name, data in files.items():
        path = tree / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def crate_roots(root: Path) -> set[str]:
    """The files that are roots of the packages' code."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--locked", "--offline"]
    found = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout
    return {
        str(Path(target["src_path"]).relative_to(root))
        for package in json.loads(found)["packages"]
        for target in package["targets"]
        if {"lib", "bin"} & set(target["kind"])
    }


def with_switches(original: dict[str, bytes], roots: set[str], mutants: list[Mutant]) -> dict[str, bytes]:
    """The files that mutants are in, and the roots of all crates, which hold the switch."""
    by_file = {root: [] for root in roots}
    for each in mutants:
        by_file.setdefault(each.file, []).append(each)
    return {
        file: (switched(original[file].decode(), of_file) + SWITCH * (file in roots)).encode()
        for file, of_file in by_file.items()
    }


def switched(text: str, mutants: list[Mutant]) -> str:
    """The text with a branch a mutant in each function: the body with the change, or without."""
    by_body = defaultdict(list)
    for each in mutants:
        by_body[each.body].append(each)
    for (start, end), of_body in sorted(by_body.items(), reverse=True):
        branches = "".join(
            f"if crate::mutant_switch::is({each.number}) {{/*<{each.number}>*/"
            f"{text[start : each.start]}{each.replacement}{text[each.end : end]}"
            f"/*</{each.number}>*/}} else "
            for each in of_body
        )
        text = f"{text[:start]} {branches}{{{text[start:end]}}} {text[end:]}"
    return text


def compile_tests(root: Path, tree: Path) -> list[dict]:
    """Compiles as `make test` does, beside the other build; what cargo says."""
    target = tree.parent / "compiled"
    environment = os.environ | {
        # Not the folder of the checkout, where programs with mutants would be taken for fresh ones.
        "CARGO_BUILD_BUILD_DIR": str(tree.parent / "built"),
        "CARGO_TARGET_DIR": str(target),
    }
    command = ["cargo", "--config", "tests/profile.toml", "build", "--release", "--workspace"]
    command += ["--tests", "--locked", "--keep-going", "--message-format", "json"]
    ran = subprocess.run(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def read(messages: list[dict], tree: Path) -> tuple[list[Program], set[int]]:
    """The programs; the mutants that errors are of."""
    programs, wrong, strange = [], set(), []
    for each in messages:
        if each["reason"] == "compiler-artifact" and each.get("executable") and each["profile"]["test"]:
            folder = Path(each["manifest_path"]).parent
            programs.append(
                Program(package_name(folder), each["target"]["name"], Path(each["executable"]), folder)
            )
        if each["reason"] == "compiler-message" and each["message"]["level"] == "error":
            found = mutants_at(each["message"]["spans"], tree)
            wrong |= found
            if not found and each["message"]["spans"]:
                strange.append(each["message"]["rendered"])
    if strange and not wrong:
        raise SystemExit("\n".join(strange))
    return programs, wrong


def package_name(folder: Path) -> str:
    """The name in a manifest."""
    found = re.search(r'^name = "(.*)"', (folder / "Cargo.toml").read_text(), re.MULTILINE)
    return found[1] if found else folder.name


def mutants_at(spans: list[dict], tree: Path) -> set[int]:
    """The mutants whose branches contain an error."""
    found = set()
    for span in within_macros(spans):
        path = tree / span["file_name"]
        if not span["is_primary"] or not path.is_file():
            continue
        data = path.read_bytes()
        before, after = data[: span["byte_end"]], data[span["byte_start"] :]
        opened = {int(number) for number in re.findall(rb"/\*<(\d+)>\*/", before)}
        closed = {int(number) for number in re.findall(rb"/\*</(\d+)>\*/", after)}
        found |= opened & closed
    return found


def within_macros(spans: list[dict]) -> list[dict]:
    """The spans, and for those in a macro where it is used."""
    used = [
        span["expansion"]["span"] | {"is_primary": span["is_primary"]} for span in spans if span["expansion"]
    ]
    return [*spans, *within_macros(used)] if used else spans
