"""The seal key: one file, for its owner's eyes, and never replaced by a fresh one."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ops.valkey.keyfile import check_seal_key, key_id, load, load_or_create
from ops.valkey.refused import StoreRefused


def refusal(path: Path) -> str:
    """The code with which the file is refused."""
    with pytest.raises(StoreRefused) as refused:
        load(path)
    return refused.value.code


def test_made_once(tmp_path: Path) -> None:
    """The first call makes a key of 32 bytes, mode 600, as hex text; later ones read it."""
    path = tmp_path / "seal.key"
    key = load_or_create(path)
    assert load_or_create(path) == load(path) == key
    assert len(key) == 32
    assert path.read_text() == key.hex() + "\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_or_create(tmp_path / "other.key") != key


def test_two_makers(tmp_path: Path) -> None:
    """Of several first starts at once all get one key, and no draft is left."""
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(load_or_create, [tmp_path / "seal.key"] * 8))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["seal.key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o610])
def test_exposed(tmp_path: Path, mode: int) -> None:
    """A key that others may read, write or run is refused (S-12)."""
    path = tmp_path / "seal.key"
    load_or_create(path)
    path.chmod(mode)
    assert refusal(path) == "seal_key_exposed"


@pytest.mark.parametrize("text", ["", "ab", "g" * 64, "ab" * 33, "ab" * 31 + "a", "é" * 32])
def test_malformed(tmp_path: Path, text: str) -> None:
    """Anything but 64 hex digits is refused, and its content is not told."""
    path = tmp_path / "seal.key"
    path.touch(mode=0o600)
    path.write_text(text)
    assert refusal(path) == "seal_key_malformed"


def test_missing(tmp_path: Path) -> None:
    """Reading alone makes no key, and a place where none can be made is named."""
    assert refusal(tmp_path / "seal.key") == "seal_key_unreadable"
    with pytest.raises(StoreRefused) as refused:
        load_or_create(tmp_path / "nowhere" / "seal.key")
    assert refused.value.code == "seal_key_unwritable"


def test_key_id() -> None:
    """The id is the first 16 hex digits of SHA-256 over a label, a newline and the key."""
    assert key_id(bytes(32)) == "166c0c94c1d1d598"


def test_key_in_force() -> None:
    """A node without the key in force is refused; one that holds it among others is not (design 5)."""
    check_seal_key("aa", ["bb", "aa"])
    with pytest.raises(StoreRefused, match="aa") as refused:
        check_seal_key("aa", ["bb"])
    assert refused.value.code == "seal_key_missing"
