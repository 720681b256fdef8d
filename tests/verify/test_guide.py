"""The section "Check a shoe yourself" of docs/fairness.md: each step with its real answer."""

import os
import sys
from pathlib import Path

from tests.docs.shell import Shell, agrees, steps
from tests.project.tree import TREE

HEADING = "## Check a shoe yourself\n"


def test_every_command_of_the_section_answers_as_shown(tmp_path: Path) -> None:
    """A person who follows the section sees what it shows, in a copy of the tree."""
    _, _, after = (TREE / "docs" / "fairness.md").read_text(encoding="utf-8").partition(HEADING)
    section = tmp_path / "section.md"
    section.write_text(after.partition("\n## ")[0], encoding="utf-8")
    for name in ("docs", "tests"):
        (tmp_path / name).symlink_to(TREE / name)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    shell = Shell(tmp_path, {"PATH": path, "LANG": "C.UTF-8"})
    followed = steps(section)
    assert len(followed) == 5
    try:
        for step in followed:
            printed = shell.run(step.command)
            assert agrees("\n".join(step.shown), printed), f"$ {step.command}\nprints\n{printed}"
    finally:
        shell.close()
