"""Promises about the lock files: complete, hashed, and without a word about where packages come from."""

import re
from collections.abc import Iterable

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.project.tree import TREE, project

RUN = "requirements.lock"
DEV = "requirements-dev.lock"
BUILD = "requirements-build.lock"

ENTRY = re.compile(r"^([a-z0-9-]+)==([^\s;]+)(?: ; [^\\]+)? \\(?:\n +--hash=sha256:[0-9a-f]{64}(?: \\)?)+$")


def entries(lock: str) -> list[str]:
    """What a lock file pins: each requirement with its hashes, comments left out."""
    text = (TREE / lock).read_text(encoding="utf-8")
    bare = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return re.split(r"\n(?=\S)", bare.strip())


def pins(lock: str) -> dict[str, str]:
    """Version by name of a lock file."""
    found = (ENTRY.match(entry) for entry in entries(lock))
    return {match[1]: match[2] for match in found if match}


def unmet(requirements: Iterable[str], lock: str) -> list[str]:
    """Requirements that a lock file has no version for, or one that does not fit."""
    pinned = pins(lock)
    wanted = [Requirement(text) for text in requirements]
    return [
        str(each)
        for each in wanted
        if (version := pinned.get(canonicalize_name(each.name))) is None or version not in each.specifier
    ]


@pytest.mark.parametrize("lock", [RUN, DEV, BUILD])
def test_every_entry_is_pinned_and_hashed(lock: str) -> None:
    """Each entry of a lock has one version and its hashes: an install takes these files or none."""
    assert [entry.split()[0] for entry in entries(lock) if not ENTRY.match(entry)] == []
    assert len(pins(lock)) == len(entries(lock))


@pytest.mark.parametrize("lock", [RUN, DEV, BUILD])
def test_no_address_in_a_lock(lock: str) -> None:
    """A lock says what is installed, never from where."""
    assert "://" not in (TREE / lock).read_text(encoding="utf-8")


def test_the_locks_meet_the_declared_requirements() -> None:
    """Whatever pyproject asks for stands in the lock meant for it, at a version that fits."""
    data = project()
    assert unmet(data["project"]["dependencies"], RUN) == []
    assert unmet([*data["project"]["dependencies"], *data["dependency-groups"]["dev"]], DEV) == []
    assert unmet([*data["build-system"]["requires"], "editables"], BUILD) == []


def test_the_locks_agree() -> None:
    """What runs in the tests is what runs in service: no package has two versions among the locks."""
    dev = pins(DEV)
    assert {
        name: version for name, version in (pins(RUN) | pins(BUILD)).items() if dev[name] != version
    } == {}


def test_an_unmet_requirement_is_noticed() -> None:
    """The check itself tells a missing package and a version too old."""
    newer = f"aiohttp>{Version(pins(RUN)['aiohttp'])}"
    assert unmet(["aiohttp", newer, "no-such-package"], RUN) == [newer, "no-such-package"]
