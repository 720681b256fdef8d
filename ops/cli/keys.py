"""`croupier keys`: who may use the API."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import msgspec
from cyclopts import App, Parameter
from cyclopts.validators import Number

from dealer.http.keyring import Keyring
from dealer.http.limits import is_account
from ops.service import opened_store
from ops.settings import StoreSettings
from ops.valkey.client import UNREACHABLE
from ops.valkey.refused import StoreRefused

app = App(name="keys", help="Make, list and revoke API keys.")
_DEFAULTS = StoreSettings()
Json = Annotated[bool, Parameter(name="--json", negative=())]


def _with_keyring(settings: StoreSettings, work: Callable[[Keyring], Awaitable[int]]) -> int:
    async def run() -> int:
        async with opened_store(settings) as store:
            return await work(Keyring(store.redis))

    try:
        return asyncio.run(run())
    except StoreRefused as refused:
        return _refuse(str(refused))
    except UNREACHABLE as trouble:
        return _refuse(f"The store gives no answer ({type(trouble).__name__}).")


def _refuse(sentence: str, code: int = 1) -> int:
    print(f"croupier: {sentence}", file=sys.stderr)
    return code


@app.command
def add(
    *,
    role: Literal["host", "player", "auditor"],
    account: str = "",
    name: str = "",
    ttl: Annotated[int, Parameter(validator=Number(gte=0))] = 0,
    json: Json = False,
    settings: StoreSettings = _DEFAULTS,
) -> int:
    """Make a key and print it, once: only its digest is stored.

    Args:
        role: `host` runs tables, `player` plays for one account, `auditor` reads.
        account: the account a player's key is for.
        name: a note for the list of keys.
        ttl: life in seconds, 0 for ever.
        json: print one JSON object.
        settings: where the store is.
    """
    if not is_account(account) if role == "player" else account:
        return _refuse("A player's key, and no other, names its --account, such as acc_1a2b3c.", 2)

    async def work(keyring: Keyring) -> int:
        record, token = await keyring.add(role, account=account, name=name, ttl_s=ttl or None)
        if json:
            print(msgspec.json.encode({"id": record.id, "key": token, "role": role}).decode())
        else:
            print(token)
        return 0

    return _with_keyring(settings, work)


@app.command(name="list")
def list_keys(*, json: Json = False, settings: StoreSettings = _DEFAULTS) -> int:
    """List the keys, never their secrets.

    Args:
        json: print one JSON array.
        settings: where the store is.
    """

    async def work(keyring: Keyring) -> int:
        records = await keyring.list()
        if json:
            print(msgspec.json.encode(records).decode())
        else:
            for r in records:
                print(f"{r.id}  {r.role:<8}{r.account or '-':<26}{r.name}")
        return 0

    return _with_keyring(settings, work)


@app.command
def revoke(key_id: str, *, settings: StoreSettings = _DEFAULTS) -> int:
    """Revoke a key; a running service refuses it within a second or so.

    Args:
        key_id: as `croupier keys list` shows it.
        settings: where the store is.
    """

    async def work(keyring: Keyring) -> int:
        return 0 if await keyring.revoke(key_id) else _refuse(f"There is no key {key_id}.")

    return _with_keyring(settings, work)
