"""Open files: as many as there may be connections (fairness S-7)."""

import resource
from collections.abc import Callable
from pathlib import Path

from dealer.http.limits import Bounds
from tests.ops.processes import Service

FEW = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (200, {hard}))"


def test_files_for_all_connections(serve: Callable[..., Service]) -> None:
    """S-7: a service that may open few files lets itself have enough, as far as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    service = serve(before=FEW.format(hard=hard)).start()
    limits = Path(f"/proc/{service.pid}/limits").read_text(encoding="ascii").splitlines()
    (files,) = [line.split() for line in limits if line.startswith("Max open files")]
    wanted = Bounds().connections
    assert files[3] == "unlimited" or int(files[3]) >= (wanted if hard < 0 else min(wanted, hard))
    assert service.stop() == 0
