"""What went wrong: the words of the task that failed, without the stack of the JVM around them."""

from __future__ import annotations

import re

BEGIN, END = "<tabia-spark:", ":tabia-spark>"
"""What is around the words of a task, so that they are found in what Spark makes of them."""

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130
"""Exit codes, those of `tabia`."""


class Failed(Exception):
    """Ends the program with an exit code; an empty message was printed already, by the binary."""

    def __init__(self, message: str, code: int = FAILED) -> None:
        """With the message that is to be printed."""
        super().__init__(message)
        self.code = code


class TaskFailed(Exception):
    """A task failed; Spark passes the text on to the driver."""

    def __init__(self, message: str) -> None:
        """Marks the message, so that `words` finds it."""
        super().__init__(f"{BEGIN}{message}{END}")


def words(error: BaseException) -> str:
    """What the task said, or what Spark said where no task did."""
    if BEGIN in str(error):
        return said(str(error))
    java = getattr(error, "java_exception", None)
    return said(str(java.getMessage() if java else error) or type(error).__name__)


def said(text: str) -> str:
    """The words of the task that are in a text of Spark's, or else the text without stacks."""
    found = re.search(f"{re.escape(BEGIN)}(.*?){re.escape(END)}", text, re.DOTALL)
    if found:
        return found.group(1).strip()
    text = text.split("Driver stacktrace:")[0].split("\n\tat ")[0].strip()
    # Of Python's stack in a worker, its last line.
    return text.splitlines()[-1] if "Traceback (most recent" in text else text
