"""The promise that nothing is skipped, tried on tests that try to."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"

SKIPPED = {
    "at run time": "import pytest\ndef test_it():\n    pytest.skip('no engine')\n",
    "by a mark": "import pytest\n@pytest.mark.skip(reason='no engine')\ndef test_it():\n    pass\n",
    "as a module": "import pytest\npytest.skip('no engine', allow_module_level=True)\n",
    "for a missing import": "import pytest\npytest.importorskip('no_such_engine')\n",
}


@pytest.mark.parametrize("code", SKIPPED.values(), ids=SKIPPED.keys())
def test_a_skip_fails_the_run(code: str, tmp_path: Path) -> None:
    """However a test skips itself, the run fails and names the place."""
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_it.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "test_it.py" in done.stdout
    assert "This suite skips nothing" in done.stdout
    assert "skipped" not in done.stdout.splitlines()[-1]
