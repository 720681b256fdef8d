"""The table of all doors. The service, its description and its page for people are made from it."""

from http import HTTPStatus
from typing import Any

import msgspec

from dealer.http import accounts, messages, rounds, service, shoes, tables
from dealer.http.doors import Keyed, Open
from dealer.http.keyring import Role
from dealer.http.queries import LIMIT, Query
from dealer.rules.frame.history import RoundTold

EVERYBODY: frozenset[Role] = frozenset({"host", "player", "auditor"})
READERS: frozenset[Role] = frozenset({"host", "auditor"})
PLAYING: frozenset[Role] = frozenset({"host", "player"})
HOST: frozenset[Role] = frozenset({"host"})


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """One door.

    Attributes:
        answer: type of the answer, or its media type if it is no JSON.
        body: type of the body; None if it takes none.
        roles: whose keys open it; none for a door that is open to all.
        status: of a good answer.
        stream: whether it may be followed live, as Server-Sent Events.
    """

    method: str
    path: str
    handler: Keyed | Open
    summary: str
    answer: Any
    body: Any = None
    query: tuple[Query, ...] = ()
    roles: frozenset[Role] = frozenset()
    status: HTTPStatus = HTTPStatus.OK
    stream: bool = False


def _get(path: str, handler: Any, summary: str, answer: Any, **more: Any) -> Route:
    return Route(method="GET", path=path, handler=handler, summary=summary, answer=answer, **more)


def _post(path: str, handler: Any, summary: str, answer: Any, **more: Any) -> Route:
    return Route(method="POST", path=path, handler=handler, summary=summary, answer=answer, **more)


TABLE = "/v1/tables/{table}"

ROUTES: tuple[Route, ...] = (
    _post(
        f"{TABLE}/commands",
        tables.command,
        "Act at a table",
        messages.Accepted,
        body=messages.AnyCommand,
        roles=PLAYING,
    ),
    _post(
        "/v1/tables",
        tables.create,
        "Open a table",
        messages.TableMade,
        body=messages.NewTable,
        roles=HOST,
        status=HTTPStatus.CREATED,
    ),
    _get(
        "/v1/tables",
        tables.listed,
        "Tables by id",
        messages.TablePage,
        query=(tables.AFTER_TABLE, tables.TABLES),
        roles=EVERYBODY,
    ),
    _get(TABLE, tables.show, "A table as the caller may see it", messages.TableView, roles=EVERYBODY),
    _get(
        f"{TABLE}/options",
        tables.legal,
        "The legal commands of a seat now",
        messages.OptionPage,
        query=(tables.SEAT,),
        roles=EVERYBODY,
    ),
    _get(
        f"{TABLE}/events",
        tables.events,
        "The log of a table",
        messages.EventPage,
        query=(tables.AFTER_EVENT, LIMIT),
        roles=EVERYBODY,
        stream=True,
    ),
    _get(
        f"{TABLE}/rounds",
        rounds.listed,
        "Rounds, the latest first",
        messages.RoundPage,
        query=(rounds.BEFORE, LIMIT),
        roles=EVERYBODY,
    ),
    _get(
        f"{TABLE}/rounds/{{round}}",
        rounds.show,
        "One round told from its events",
        RoundTold,
        roles=EVERYBODY,
    ),
    _get(
        f"{TABLE}/shoes",
        shoes.listed,
        "Shoes and other shuffles, the latest first",
        messages.ShoePage,
        query=(shoes.BEFORE, LIMIT),
        roles=EVERYBODY,
    ),
    _get(
        f"{TABLE}/shoes/{{shuffle}}",
        shoes.show,
        "The record of a shoe, or of another shuffle",
        messages.ShoeRecord,
        roles=EVERYBODY,
    ),
    _get(
        f"{TABLE}/shoes/{{shuffle}}/proofs",
        shoes.proofs,
        "Openings of exposed cards",
        messages.ProofPage,
        query=(shoes.POSITIONS,),
        roles=EVERYBODY,
    ),
    _post(
        "/v1/accounts",
        accounts.create,
        "Open an account",
        messages.AccountMade,
        body=messages.NewAccount,
        roles=HOST,
        status=HTTPStatus.CREATED,
    ),
    _get(
        "/v1/accounts",
        accounts.listed,
        "Accounts by id",
        messages.AccountPage,
        query=(accounts.AFTER_ACCOUNT, LIMIT),
        roles=READERS,
    ),
    _get("/v1/accounts/{account}", accounts.show, "One account", messages.Account, roles=EVERYBODY),
    _post(
        "/v1/transfers",
        accounts.transfer,
        "Move chips between accounts",
        messages.TransferMade,
        body=messages.NewTransfer,
        roles=HOST,
        status=HTTPStatus.CREATED,
    ),
    _get(
        "/v1/transfers",
        accounts.transfers,
        "What moved in the book",
        messages.TransferPage,
        query=(accounts.AFTER_ENTRY, LIMIT),
        roles=READERS,
    ),
    _get("/openapi.json", service.openapi, "This description", dict[str, Any]),
    _get("/docs", service.docs, "This description for people", "text/html"),
    _get("/healthz", service.healthz, "Whether the process answers", messages.Health),
    _get("/readyz", service.readyz, "Whether requests should come here", dict[str, Any]),
    _get("/metrics", service.metrics, "Figures for Prometheus", "text/plain"),
)
"""The door that is used most comes first: a router tries them in this order."""
