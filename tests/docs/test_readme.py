"""README.md: each step with its real answer."""

import os
import socket
import sys
from pathlib import Path

from tests.docs.shell import Shell, agrees, steps
from tests.project.tree import TREE


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_every_command_of_the_readme_answers_as_shown(tmp_path: Path) -> None:
    """A person who follows the README sees what it shows, step by step."""
    port = str(_free_port())
    environ = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "CROUPIER_DATA": str(tmp_path / "data"),
        "CROUPIER_PORT": port,
    }
    shell = Shell(tmp_path, environ)
    followed = steps(TREE / "README.md")
    assert len(followed) > 20, "the README shows its steps"
    try:
        for step in followed:
            shown = "\n".join(step.shown)
            printed = shell.run(step.command.replace(":8080", f":{port}"), len(step.shown))
            assert agrees(shown.replace(":8080", f":{port}"), printed), (
                f"$ {step.command}\nshows\n{shown}\nbut prints\n{printed}"
            )
    finally:
        shell.close()
