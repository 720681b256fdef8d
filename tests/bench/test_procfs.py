"""What is read from /proc."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ops.bench import procfs
from ops.bench.procfs import busy_seconds, cpu_model, cpu_seconds, filesystem


def test_cpu_seconds_add_up_all_threads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The scheduler's nanoseconds of every thread count; a thread that ended meanwhile does not matter."""
    for thread, nanoseconds in ((41, 1_500_000_000), (42, 250_000_000)):
        task = tmp_path / "41" / "task" / str(thread)
        task.mkdir(parents=True)
        (task / "schedstat").write_text(f"{nanoseconds} 99 7\n")
    (tmp_path / "41" / "task" / "43").mkdir()
    monkeypatch.setattr(procfs, "PROC", tmp_path)
    assert cpu_seconds(41) == 1.75


def test_busy_seconds_leave_out_idle_waiting_and_stolen_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """User, nice, system, irq and softirq are work; the rest of the line is not."""
    (tmp_path / "stat").write_text("cpu  100 20 30 90000 8000 4 6 700 50 5\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
    monkeypatch.setattr(procfs, "PROC", tmp_path)
    assert busy_seconds() == 160 / os.sysconf("SC_CLK_TCK")


def test_an_unnamed_processor_is_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not every kernel prints a processor's name, nor lists every file system."""
    (tmp_path / "cpuinfo").write_text("processor\t: 0\n")
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "mountinfo").write_text("1 1 999:99 / / rw - ext4 /dev/x rw\n")
    monkeypatch.setattr(procfs, "PROC", tmp_path)
    assert cpu_model() == "unknown"
    assert filesystem(tmp_path) == "unknown"


def test_our_own_cpu_time_is_found() -> None:
    """On the real /proc a process that runs has used CPU time."""
    assert cpu_seconds(os.getpid()) > 0


def test_cpu_seconds_of_nobody_is_an_error() -> None:
    """A process that is gone is an error, not a server that costs nothing."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with pytest.raises(FileNotFoundError):
        cpu_seconds(gone.pid)


def test_the_machine_is_described() -> None:
    """A report says on which processor and file system it was made."""
    assert cpu_model()
    assert filesystem(Path("/proc")) == "proc"
