"""What may be read by whom: an output that is replaced keeps its mode."""

import functools
from pathlib import Path

from cases import Case, Cases, once
from commands import WRITERS, Writer
from workplace import Workplace, arguments

# Of files and folders, as their owner alone has them.
OF_FILES, OF_FOLDERS = 0o600, 0o700


def modes(workplace: Workplace, _most: int) -> Cases:
    """Each writer over outputs that only their owner may read."""

    def case(writer: Writer) -> Case:
        command = f"chmod go= {' '.join(writer.outputs)}; tabia {arguments(writer)}"
        return Case(command, functools.partial(kept, workplace, writer))

    return once(WRITERS, case)


def kept(workplace: Workplace, writer: Writer) -> str | None:
    """Replaces the outputs, and looks at their modes."""
    with workplace.copy_for(writer) as place:
        outputs = [place / output for output in writer.outputs]
        for output in outputs:
            output.chmod(OF_FOLDERS if output.is_dir() else OF_FILES)
        workplace.must(arguments(writer), place)
        return "; ".join(wrong for output in outputs if (wrong := changed(output))) or None


def changed(output: Path) -> str | None:
    """How the mode of an output differs from what it was."""
    mode, wanted = output.stat().st_mode & 0o777, OF_FOLDERS if output.is_dir() else OF_FILES
    return None if mode == wanted else f"{output.name} had the mode {wanted:o} and has {mode:o}"
