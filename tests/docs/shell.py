"""Runs the console blocks of a document in one shell and compares what it prints.

In a block, `$ ` begins a command and `>` goes on with it; the other lines are its output. `…` stands
for anything, and what must differ from run to run (ids, keys, hashes, times) is made equal first.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_END = "--end-of-output--"
_VARYING = (
    (re.compile(r"\b(acc|tbl|tr|pid)_[0-9a-f]{16,}"), r"\1_*"),
    (re.compile(r"croupier-[0-9a-f]{8}"), "croupier-*"),
    (re.compile(r"\b[0-9a-f]{32,}\b"), "*"),
    (re.compile(r"\b1[0-9]{12}\b"), "*"),
)


@dataclass
class Step:
    """One command of a document and the output shown for it."""

    command: str
    shown: list[str] = field(default_factory=list)


def steps(document: Path) -> list[Step]:
    """All commands of a document's console blocks, in order."""
    found: list[Step] = []
    for block in _BLOCK.findall(document.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(Step(line[2:]))
            elif line == ">" or line.startswith("> "):
                found[-1].command += "\n" + line[2:]
            else:
                found[-1].shown.append(line)
    return found


def agrees(shown: str, printed: str) -> bool:
    """Whether the output is what the document shows."""
    for pattern, mask in _VARYING:
        shown, printed = pattern.sub(mask, shown), pattern.sub(mask, printed)
    parts = [re.escape(part) for part in shown.split("…")]
    return re.fullmatch(".*?".join(parts), printed, re.DOTALL) is not None


class Shell:
    """One bash in which all commands of a document run."""

    def __init__(self, cwd: Path, environ: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            ["/bin/bash", "--norc"],
            cwd=cwd,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str, lines: int | None = None) -> str:
        """The output of a command; of one in the background, its first `lines` lines."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        background = command.endswith("&")
        if not background:
            self._process.stdin.write(f"echo {_END}\n")
        self._process.stdin.flush()
        printed: list[str] = []
        while not background or len(printed) < (lines or 0):
            line = self._process.stdout.readline()
            if not line or line.rstrip("\n") == _END:
                break
            printed.append(line.rstrip("\n"))
        # A stream may show a heartbeat at any moment; it is a comment without a text.
        return "\n".join(line for line in printed if line not in {"", ":"})

    def close(self) -> None:
        """End what runs in the background, and the shell."""
        assert self._process.stdin is not None
        self._process.stdin.write("kill -INT $(jobs -p) 2>/dev/null; wait\nexit\n")
        self._process.stdin.close()
        self._process.wait(timeout=30)
        assert self._process.stdout is not None
        self._process.stdout.close()
