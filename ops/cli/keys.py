"""`croupier keys`: who may use the API."""

import contextlib
from typing import Annotated, Literal

import msgspec
from cyclopts import App, Parameter

from dealer.croupier.cages import BOOK, CageDesk
from dealer.croupier.hooks import Hooks
from dealer.croupier.order import NoSuchAggregate
from dealer.croupier.steps import Steps
from dealer.http.keyring import Keyring
from dealer.http.limits import KEY_NAME, is_account, is_key_name
from dealer.journal.journal import Journal
from ops.cli.output import Unwritten, printable, writing
from ops.cli.stores import refuse, with_store
from ops.settings import StoreSettings
from ops.valkey.client import client
from ops.valkey.store import Store
from ops.whole import whole

LONGEST_TTL_S = 100 * 366 * 86_400
"""A hundred years: who wants more wants a key for ever."""

app = App(name="keys", help="Make, list and revoke API keys.")
_DEFAULTS = StoreSettings()
Json = Annotated[bool, Parameter(name="--json", negative=())]


async def _account_exists(store: Store, account: str) -> bool:
    """Whether the cage has opened such an account."""
    redis = client(store.path_or_url, retry=False)
    journal = Journal(redis)
    try:
        book = CageDesk(journal, f"{store.identity.service}/{BOOK}", lambda *_: None, Hooks(), Steps())
        with contextlib.suppress(NoSuchAggregate):  # nobody has ever written in it
            await book.refresh()
        await book.rest()
        return account in book.state.balances
    finally:
        await journal.close()
        await redis.aclose()


@app.command
def add(
    *,
    role: Literal["host", "player", "auditor"],
    account: str = "",
    name: str = "",
    ttl: Annotated[int, whole(0, LONGEST_TTL_S)] = 0,
    json: Json = False,
    settings: StoreSettings = _DEFAULTS,
) -> int:
    """Make a key and print it, once: only its digest is stored.

    Args:
        role: `host` runs tables, `player` plays for one account, `auditor` reads.
        account: the account a player's key is for; it exists already.
        name: a note for the list of keys.
        ttl: life in seconds, 0 for ever.
        json: print one JSON object.
        settings: where the store is.
    """
    if not is_account(account) if role == "player" else account:
        return refuse("A player's key, and no other, names its --account, such as acc_1a2b3c.", 2)
    if not is_key_name(name):
        return refuse(f"A --name is one line of text, at most {KEY_NAME} characters.", 2)

    async def work(store: Store) -> int:
        if account and not await _account_exists(store, account):
            return refuse(f"There is no account {account}. A host opens it first, by POST /v1/accounts.")
        keyring = Keyring(store.redis)
        record, token = await keyring.add(role, account=account, name=name, ttl_s=ttl or None)
        told = msgspec.json.encode({"id": record.id, "key": token, "role": role}).decode() if json else token
        try:
            with writing():
                print(told, flush=True)
        except Unwritten:
            await keyring.revoke(record.id)  # nobody has its token, nor ever will
            raise
        return 0

    return with_store(settings, work)


@app.command(name="list")
def list_keys(*, json: Json = False, settings: StoreSettings = _DEFAULTS) -> int:
    """List the keys, never their secrets; one whose life is over is marked.

    Args:
        json: print one JSON array.
        settings: where the store is.
    """

    async def work(store: Store) -> int:
        keyring = Keyring(store.redis)
        records = await keyring.list()
        with writing():
            if json:
                print(msgspec.json.encode(records).decode())
                return 0
            for r in records:
                over = "(expired) " if keyring.expired(r) else ""
                print(f"{r.id}  {r.role:<8}{r.account or '-':<26}{over}{printable(r.name)}")
        return 0

    return with_store(settings, work)


@app.command
def revoke(key_id: str, *, settings: StoreSettings = _DEFAULTS) -> int:
    """Revoke a key; a running service refuses it within a second or so.

    Args:
        key_id: as `croupier keys list` shows it.
        settings: where the store is.
    """

    async def work(store: Store) -> int:
        found = await Keyring(store.redis).revoke(key_id)
        return 0 if found else refuse(f"There is no key {printable(key_id)}.")

    return with_store(settings, work)
