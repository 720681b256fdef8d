"""README.md, docs/host.md and docs/integrator.md: each command with its real answer."""

import os
import sys
from pathlib import Path

import pytest

from tests.docs.shell import Shell, agrees, steps
from tests.ops.processes import fewer
from tests.project.tree import TREE
from tests.valkey.conftest import kill_servers_in, reserved_port


@pytest.mark.parametrize("page", ["README.md", "docs/host.md", "docs/integrator.md"])
def test_every_command_of_a_page_answers_as_shown(page: str, tmp_path: Path) -> None:
    """A person who follows the page sees what it shows, step by step."""
    with reserved_port() as number:
        _follow(page, tmp_path, number)


def _follow(page: str, home: Path, number: int) -> None:
    """Do what a page says in a directory, where its service listens on this port."""
    port = f":{number}"
    (home / "docs").symlink_to(TREE / "docs")
    environ = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "CROUPIER_DATA": str(home / "data"),
        "CROUPIER_PORT": port[1:],
        **fewer(),
    }
    shell = Shell(home, environ)
    followed = steps(TREE / page)
    assert len(followed) > 20, "the page shows its steps"
    try:
        for step in followed:
            shown = "\n".join(step.shown).replace(":8080", port)
            printed = shell.run(step.command.replace(":8080", port), len(step.shown))
            assert agrees(shown, printed), f"$ {step.command}\nshows\n{shown}\nbut prints\n{printed}"
    finally:
        shell.close()
        kill_servers_in(home)
