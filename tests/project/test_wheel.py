"""Promises about the wheel: it holds all of the product, and runs by itself."""

import subprocess
import sys
import venv
import zipfile
from email.parser import BytesParser
from pathlib import Path

import aiohttp
import pytest

from tests.project.tree import TREE, files, project

DEPENDENCIES = Path(aiohttp.__file__).parents[1]
"""Where the installed dependencies are; a project installed from its tree does not count there."""

IMPORT_ALL = """
import importlib, pkgutil, sys
home = sys.argv[1]
count = 0
for name in sys.argv[2:]:
    package = importlib.import_module(name)
    assert package.__file__.startswith(home), package.__file__
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(module.name)
        count += 1
print(count)
"""

READ_PROFILES = """
from dealer.rules.registry import GAMES
for game in GAMES.values():
    print(game.id, *sorted(game.profiles))
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a program that has to succeed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this tree with the installed build backend."""
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, TREE, cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment with the wheel and, beside it, the dependencies; the tree is not there."""
    folder = tmp_path_factory.mktemp("home")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "-qq", "--python", python)
    run(*pip, "install", "--no-index", "--no-deps", wheel, cwd=folder)
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "dependencies.pth").write_text(f"{DEPENDENCIES}\n", encoding="utf-8")
    return folder


def packages() -> list[str]:
    """The packages that the wheel promises."""
    named: list[str] = project()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    return named


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    """Every file of the packages is in the wheel, data files and type markers too; the tests are not."""
    paths = [path.relative_to(TREE) for path in files()]
    expected = {path.as_posix() for path in paths if path.parts[0] in packages()}
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == expected
    assert {f"{name}/py.typed" for name in packages()} < held


def test_the_wheel_carries_its_metadata(wheel: Path) -> None:
    """Name, version and licence travel with the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = BytesParser().parsebytes(archive.read(path))
        licence = archive.read(path.replace("METADATA", "licenses/LICENSE"))
    assert (metadata["Name"], metadata["License-Expression"]) == ("croupier", "Apache-2.0")
    assert metadata["Version"] == project()["project"]["version"]
    assert licence == (TREE / "LICENSE").read_bytes()


def test_every_module_can_be_imported_from_the_wheel(home: Path) -> None:
    """Nothing of the installed product needs the tree."""
    printed = run(home / "bin" / "python", "-c", IMPORT_ALL, home, *packages(), cwd=home)
    modules = [path for path in files(".py") if path.relative_to(TREE).parts[0] in packages()]
    assert int(printed) == len(modules) - len(packages())


def test_the_profiles_come_with_the_wheel(home: Path) -> None:
    """The installed games find the data files of their profiles."""
    printed = run(home / "bin" / "python", "-c", READ_PROFILES, cwd=home)
    assert "bacara arrete-2007 chemin-de-fer punto-y-banca reglamento-1979 seed" in printed.splitlines()


def test_the_command_comes_with_the_wheel(home: Path) -> None:
    """The installed command starts and tells the version it was built as."""
    assert run(home / "bin" / "croupier", "--version", cwd=home).strip() == project()["project"]["version"]
