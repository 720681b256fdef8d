"""The store as the service opens it, and every reason not to."""

import asyncio
import os
import shutil
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from ops.valkey.client import client
from ops.valkey.keyfile import key_id, load, load_or_create
from ops.valkey.store import Store, StoreRefused, open_store
from tests.valkey.conftest import servers_in, until
from tests.valkey.test_external import DURABLE

Outside = Callable[..., Awaitable[str]]


async def opened(
    data: Path, url: str | None = None, *, declared: bool = False, keys: tuple[Path, ...] = ()
) -> Store:
    """Opens a store with the service's defaults."""
    return await open_store(
        data_dir=data,
        redis_url=url,
        durability_declared=declared,
        service_name=None,
        seal_key_files=keys,
    )


async def refusal(data: Path, url: str | None = None, *, keys: tuple[Path, ...] = ()) -> StoreRefused:
    """How opening the store is refused; a refused opening leaves no server of ours."""
    with pytest.raises(StoreRefused) as refused:
        await opened(data, url, keys=keys)
    assert servers_in(data) == []
    return refused.value


async def fill(data: Path) -> None:
    """Makes a store with three events in it and closes it cleanly."""
    store = await opened(data)
    for number in range(3):
        await store.redis.xadd("log", {"event": "x" * 200}, id=f"{number + 1}-0")
    await store.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with three events, made once."""
    data = tmp_path_factory.mktemp("store") / "data"
    asyncio.run(fill(data))
    return data


@pytest.fixture
def data(template: Path, tmp_path: Path) -> Path:
    """The test's own copy of the data directory."""
    return shutil.copytree(template, tmp_path / "data")


async def test_open_close_open(data: Path) -> None:
    """What was accepted is there at the next start, under the same identity and key."""
    first = await opened(data)
    assert await first.redis.xlen("log") == 3
    assert first.keys == {first.active_key_id: load(data / "seal.key")}
    assert (data / "seal.key").stat().st_mode & 0o777 == 0o600
    await first.close()
    assert servers_in(data) == []
    second = await opened(data)
    assert (second.identity, second.active_key_id) == (first.identity, first.active_key_id)
    await second.close()


async def test_killed_server_under_an_open_store(data: Path) -> None:
    """An open store watches over its server: after kill -9 its client goes on."""
    store = await opened(data)
    assert store.embedded is not None
    killed = store.embedded.pid
    os.kill(killed, signal.SIGKILL)
    assert await store.redis.xlen("log") == 3
    await until(lambda: servers_in(data) not in ([], [killed]))
    await store.close()
    assert servers_in(data) == []


async def test_two_services_share_it(data: Path) -> None:
    """A second service on the directory opens the same store; the first may leave."""
    first, second = await opened(data), await opened(data)
    assert first.identity == second.identity
    await first.close()
    assert await second.redis.xlen("log") == 3
    await second.close()


async def test_secrets_stay_out_of_repr(tmp_path: Path, outside: Outside) -> None:
    """Neither a key nor the server's password shows in a store's repr (S-15)."""
    address = await outside(*DURABLE, "--requirepass", "geheim")
    store = await opened(tmp_path / "home", f"redis://:geheim@{address}")
    key = store.keys[store.active_key_id]
    shown = repr(store)
    await store.close()
    assert store.active_key_id in shown
    for secret in ("geheim", key.hex(), repr(key)):
        assert secret not in shown


async def test_deleted_manifest(data: Path) -> None:
    """Without its manifest a server would start empty: refused before one starts, and curable (1.4)."""
    manifest = data / "appendonlydir" / "appendonly.aof.manifest"
    kept = manifest.read_bytes()
    manifest.unlink()
    assert (await refusal(data)).code == "manifest_missing"
    manifest.write_bytes(kept)
    store = await opened(data)
    assert await store.redis.xlen("log") == 3
    await store.close()


async def test_deleted_data(data: Path) -> None:
    """With the whole append-only directory gone the marker still knows that there was a store (1.4)."""
    for path in (data / "appendonlydir").iterdir():
        path.unlink()
    (data / "appendonlydir").rmdir()
    assert (await refusal(data)).code == "manifest_missing"


async def test_emptied_data(data: Path) -> None:
    """An append-only file cut to nothing starts an empty server; the marker refuses it (1.4)."""
    log = next((data / "appendonlydir").glob("*.incr.aof"))
    log.write_bytes(b"")
    assert (await refusal(data)).code == "store_lost"
    assert b"meta" not in log.read_bytes()


async def test_torn_tail(data: Path) -> None:
    """A tail torn off by a crash costs the last, unfinished command and nothing else (1.4)."""
    log = next((data / "appendonlydir").glob("*.incr.aof"))
    log.write_bytes(log.read_bytes()[:-5])
    store = await opened(data)
    assert await store.redis.xlen("log") == 2
    await store.close()


async def test_zeros_in_the_middle(data: Path) -> None:
    """Zero bytes in the append-only file, as after a power loss, are refused with what helps (1.4)."""
    log = next((data / "appendonlydir").glob("*.incr.aof"))
    raw = log.read_bytes()
    middle = raw.index(b"XADD") - 8
    log.write_bytes(raw[:middle] + bytes(64) + raw[middle + 64 :])
    refused = await refusal(data)
    assert refused.code == "aof_damaged"
    assert "valkey-check-aof" in refused.sentence


async def test_missing_aof_file(data: Path) -> None:
    """A file that the manifest names and nobody has is refused in words (1.4)."""
    next((data / "appendonlydir").glob("*.incr.aof")).unlink()
    assert (await refusal(data)).code == "aof_missing"


@pytest.mark.parametrize("content", ["", "nonsense\n"])
async def test_damaged_manifest(data: Path, content: str) -> None:
    """A manifest that cannot be read is refused in words."""
    (data / "appendonlydir" / "appendonly.aof.manifest").write_text(content)
    assert (await refusal(data)).code == "aof_manifest_damaged"


async def test_unknown_end(data: Path) -> None:
    """A server that ends for a reason without words of ours is quoted."""
    (data / "appendonlydir" / "appendonly.aof.manifest").unlink()
    (data / "appendonlydir" / "appendonly.aof.manifest").mkdir()
    refused = await refusal(data)
    assert refused.code == "server_ended"
    assert "Its last words:" in refused.sentence


async def test_socket_cannot_be_made(data: Path) -> None:
    """A directory in which no socket can be made is told from other trouble (1.5)."""
    (data / "v.sock").mkdir()
    assert (await refusal(data)).code == "socket_refused"


async def test_lost_seal_key(data: Path) -> None:
    """A store whose key file is gone is refused, and no fresh key hides that it is gone (design 5)."""
    (data / "seal.key").unlink()
    assert (await refusal(data)).code == "seal_key_unreadable"
    assert not (data / "seal.key").exists()


async def test_another_seal_key(data: Path, tmp_path: Path) -> None:
    """A node without the key in force refuses to start; with several, one of them is in force (design 5)."""
    fresh = tmp_path / "fresh.key"
    load_or_create(fresh)
    assert (await refusal(data, keys=(fresh,))).code == "seal_key_missing"
    store = await opened(data, keys=(fresh, data / "seal.key"))
    assert store.active_key_id == key_id(load(data / "seal.key"))
    assert set(store.keys) == {store.active_key_id, key_id(load(fresh))}
    await store.close()


async def test_external(tmp_path: Path, outside: Outside) -> None:
    """A durable external server is opened with no embedded one beside it."""
    url = f"redis://{await outside(*DURABLE)}"
    home = tmp_path / "home"
    store = await opened(home, url)
    assert store.embedded is None
    await store.close()
    again = await opened(home, url)
    assert again.identity == store.identity
    await again.close()
    assert [path.name for path in home.iterdir()] == ["seal.key"]


async def test_external_everysec(tmp_path: Path, outside: Outside) -> None:
    """A server that fsyncs each second is refused and left untouched, unless durability is declared."""
    url = f"redis://{await outside('--appendonly', 'yes', '--appendfsync', 'everysec')}"
    home = tmp_path / "home"
    refused = await refusal(home, url)
    assert refused.code == "not_durable"
    assert "everysec" in refused.sentence
    untouched = client(url, retry=False)
    assert await untouched.dbsize() == 0
    await untouched.aclose()
    store = await opened(home, url, declared=True)
    await store.close()


async def test_external_wrong_password(tmp_path: Path, outside: Outside) -> None:
    """A wrong password is refused as such, and quoted nowhere."""
    refused = await refusal(tmp_path / "home", f"redis://:geheim@{await outside('--requirepass', 'right')}")
    assert refused.code == "password_wrong"
    assert "geheim" not in refused.sentence


@pytest.mark.parametrize(
    "url",
    [
        "http://x:geheim@y",
        "redis://x:ge/heim@y",
        "redis://x:geheim@[y",
        "redis://x:ge#heim@y",
        "redis://x:geheim@y/1/2",
        "redis://x:geheim@y/first",
        "redis://x:geheim@y/0?decode_responses=1",
        "redis://x:geheim@y/0?foo=heim",
        "redis://x:geheim@y/0?foo=",
        "rediss://x:geheim@y/0?ssl_cert_reqs=none",
        "unix://x:geheim@/y?host=z",
    ],
)
async def test_malformed_url(tmp_path: Path, url: str) -> None:
    """A URL that cannot be read is refused, and no piece of its password is quoted."""
    refused = await refusal(tmp_path, url)
    assert refused.code == "url_malformed"
    assert "heim" not in refused.sentence
    assert refused.__cause__ is None


async def test_user_without_rights_on_keys(tmp_path: Path, outside: Outside) -> None:
    """Trouble after the greeting is a refusal too, not a raw error of the client."""
    address = await outside(*DURABLE, "--user", *["casa", "on", ">pw", "~none", "+@all"])
    refused = await refusal(tmp_path / "home", f"redis://casa:pw@{address}")
    assert refused.code == "store_failed"
