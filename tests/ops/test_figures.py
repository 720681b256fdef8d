"""What killed services leave of their figures is cleared away, and nothing else (design 8)."""

import tempfile
from pathlib import Path

import pytest

from ops.figures import shared_figures


def test_what_killed_services_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start clears away what nobody holds any more; what is in use, or somebody else's, stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead, unknown = tmp_path / ".croupier-metrics-dead", tmp_path / ".croupier-metrics-unknown"
    for directory in (dead, unknown):
        directory.mkdir()
        (directory / "counter_0.db").touch()
    (dead / "lock").touch()
    (tmp_path / ".croupier-metrics-link").symlink_to(unknown)
    (unknown.parent / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lock").touch()
    (tmp_path / ".croupier-metrics-far").symlink_to(tmp_path / "elsewhere")
    with shared_figures() as first:
        assert not dead.exists()
        with shared_figures() as second:
            assert first.is_dir()
            assert second.is_dir()
        assert not second.exists()
    assert not first.exists()
    assert (unknown / "counter_0.db").exists()
    assert (tmp_path / "elsewhere" / "lock").exists()
