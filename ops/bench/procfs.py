"""What Linux's /proc tells about processor time and the machine."""

import os
import re
from pathlib import Path

PROC = Path("/proc")


def cpu_seconds(pid: int) -> float:
    """CPU time all living threads of a process have used, from the scheduler's nanosecond clock.

    Raises:
        FileNotFoundError: There is no such process (any more), or no Linux.
    """
    total = 0
    for task in (PROC / str(pid) / "task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):  # the thread ended while we were looking
            continue
    return total / 1e9


def busy_seconds() -> float:
    """CPU time all processors together have spent on anything, in steps of a clock tick.

    User, nice, system, irq and softirq count; idle, waiting for input and time stolen by a hypervisor do not.
    """
    fields = (PROC / "stat").read_text().split("\n", 1)[0].split()
    ticks = sum(int(fields[column]) for column in (1, 2, 3, 6, 7))
    return ticks / os.sysconf("SC_CLK_TCK")


def cpu_model() -> str:
    """The processor's name as the kernel prints it, or `unknown`."""
    found = re.search(r"^model name\s*:\s*(.+)$", (PROC / "cpuinfo").read_text(), re.MULTILINE)
    return found[1].strip() if found else "unknown"


def filesystem(path: Path) -> str:
    """Type of the file system a path lies on, such as `ext4`; on `tmpfs` an fsync costs nothing."""
    device = path.stat().st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    for line in (PROC / "self" / "mountinfo").read_text().splitlines():
        mount, _, source = line.partition(" - ")
        if mount.split()[2] == wanted:
            return source.split()[0]
    return "unknown"
