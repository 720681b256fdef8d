"""Whatever a client sends, the answer is a problem with a stable code (fairness S-7, S-16, S-30)."""

import gzip
from typing import Any

import pytest

from dealer.http.limits import BODY_BYTES
from dealer.http.messages import COMMANDS
from tests.http.house import House

STAKE = '{"type":"stake","on":"right","amount":%s}'
DEEP = "[" * 10_000 + "]" * 10_000

BROKEN = {
    "nothing": "",
    "no JSON": "stake",
    "cut off": '{"type":"join"',
    "two values": '{"type":"join"}{}',
    "NaN": STAKE % "NaN",
    "Infinity": STAKE % "-Infinity",
    "a byte order mark": '\ufeff{"type":"join"}',
    "a raw line feed in a text": '{"type":"expire","decision":"a\nb"}',
    "a lone surrogate": '{"type":"sit","seat":1,"account":"\\ud800"}',
    "a key twice": '{"type":"stake","on":"right","amount":1,"amount":2}',
    "a key twice, once escaped": '{"type":"stake","on":"right","amount":1,"\\u0061mount":2}',
    "a key twice, the same value": '{"type":"join","type":"join"}',
    "deep nesting": '{"x":' + DEEP + ',"type":"join"}',
}
INVALID = {
    "null": "null",
    "a list": "[]",
    "no type": "{}",
    "no text as type": '{"type":3}',
    "a field unknown": '{"type":"join","colour":"red"}',
    "ten thousand fields": '{"type":"join",' + ",".join(f'"f{n}":1' for n in range(5_000)) + "}",
    "a field that looks like a place": '{"type":"join","x` - at `$.secret":1}',
    "a field missing": '{"type":"stake","amount":1}',
    "nesting in a field": '{"type":"sit","seat":' + "[" * 17 + "]" * 17 + "}",
    "a fraction of a chip": STAKE % "1.5",
    "a chip with a point": STAKE % "1.0",
    "chips with an exponent": STAKE % "1e2",
    "chips in quotes": STAKE % '"5"',
    "no chips": STAKE % "null",
    "true chips": STAKE % "true",
    "a cloth unknown": '{"type":"stake","on":"middle","amount":1}',
    "seat nought": '{"type":"sit","seat":0}',
    "a seat of thirty digits": '{"type":"sit","seat":' + "9" * 30 + "}",
    "an account with a slash": '{"type":"sit","seat":1,"account":"t/tbl_1"}',
}
AMOUNTS = {
    "nought": "0",
    "less than nought": "-5",
    "beyond 2^53": "9007199254740992",
    "beyond 64 bits": "9" * 30,
    "sixty thousand digits": "9" * 60_000,
}


@pytest.fixture
async def table(house: House) -> str:
    """A table at which nothing ever comes of it."""
    return await house.table()


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
async def test_broken_body(house: House, table: str, text: str) -> None:
    """Design 8: what is not JSON, or says a thing twice, is 400 `malformed`."""
    status, problem = await house.host.post(f"{table}/commands", text.encode())
    assert (status, problem["code"], problem["params"]) == (400, "malformed", {})


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID)
async def test_invalid_body(house: House, table: str, text: str) -> None:
    """Design 8: JSON that is no such message is 422 `malformed`, with the place and not what stood there."""
    status, problem = await house.host.post(f"{table}/commands", text.encode())
    assert (status, problem["code"]) == (422, "malformed")
    assert problem["params"]["path"] in {"$", "$.type", "$.on", "$.amount", "$.seat", "$.account"}
    assert not {"red", "middle", "colour"} & set(str(problem).split("'"))


@pytest.mark.parametrize("amount", AMOUNTS.values(), ids=AMOUNTS)
async def test_amounts(house: House, table: str, amount: str) -> None:
    """S-9: chips are 1 to 2^53 - 1, in commands and in transfers."""
    transfer = f'{{"from":"house","to":"acc_x","amount":{amount}}}'
    for path, raw in ((f"{table}/commands", STAKE % amount), ("/v1/transfers", transfer)):
        status, problem = await house.host.post(path, raw.encode())
        assert (status, problem["code"]) == (422, "amount_out_of_range")
        assert problem["params"] == {"max": 2**53 - 1, "min": 1}


async def test_bytes_that_are_no_text(house: House, table: str) -> None:
    """S-7: bytes that are no UTF-8 are refused, in values, keys and surrogates written out."""
    for raw in (b'{"type":"\xff"}', b'{"type":"sit","\xff":1}', b'{"type":"sit","account":"\xed\xa0\x80"}'):
        assert await house.host.refused(f"{table}/commands", raw) == "malformed"


async def test_unknown_command(house: House, table: str) -> None:
    """Glossary 6: a command nobody knows, or only the house itself gives, is `unknown_command`."""
    for kind in ("castle", "commit_seeds", "Receive", "open_table", "resolve", "", "x" * 60_000):
        status, problem = await house.host.post(f"{table}/commands", {"type": kind, "seeds": []})
        assert (status, problem["code"], problem["params"]) == (422, "unknown_command", {})


async def test_too_large(house: House, table: str) -> None:
    """S-7: 64 KiB are the most."""
    raw = b" " * BODY_BYTES + b'{"type":"join"}'
    assert await house.host.refused(f"{table}/commands", raw) == "payload_too_large"
    fits = b" " * (BODY_BYTES - 15) + b'{"type":"leave"'
    assert await house.host.refused(f"{table}/commands", fits) == "malformed"


async def test_packed(house: House, table: str, caplog: pytest.LogCaptureFixture) -> None:
    """S-7, S-30: no body is unpacked; whatever it says it is packed with, none is a fault of this house."""
    body = b'{"type":"join"}'
    for coding in ("gzip", "deflate", "br", "zstd", "gzip, deflate", "made-up"):
        headers = {"Content-Encoding": coding, "Idempotency-Key": "packed"}
        for raw in (body, gzip.compress(body)):
            status, problem = await house.host.send("POST", f"{table}/commands", raw, headers)
            assert (status, problem["code"]) == (415, "malformed")
            assert problem["params"] == {"path": "Content-Encoding"}
            assert house.host.headers["Idempotency-Key"] == "packed"
            assert (await house.stranger.send("POST", "/v1/accounts", raw, headers))[0] == 401
    assert not caplog.records
    plain = {"Content-Encoding": "identity", "Idempotency-Key": "packed"}
    assert (await house.host.send("POST", "/v1/accounts", b"{}", plain))[0] == 201


TABLE: dict[str, Any] = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": {}}


@pytest.mark.parametrize(
    ("change", "code", "params"),
    [
        ({"game": "poker"}, "option_not_allowed", {"option": "game"}),
        ({"profile": "none"}, "option_not_allowed", {"option": "profile"}),
        ({"mode": "none"}, "option_not_allowed", {"option": "mode"}),
        ({"options": {"gravity": 1}}, "option_unknown", {"option": "gravity"}),
        ({"options": {"packs": 5}}, "option_not_allowed", {"option": "packs"}),
        ({"options": {"packs": True}}, "option_not_allowed", {"option": "packs"}),
        ({"options": {"bank_modes": ["thief"]}}, "option_not_allowed", {"option": "bank_modes"}),
        ({"options": {"min_stake": 9, "max_stake": 3}}, "options_conflict", None),
        ({"options": {"packs": 3.0}}, "malformed", {"path": "$.options[...]"}),
        ({"options": {"packs": None}}, "malformed", {"path": "$.options[...]"}),
        ({"options": {"x" * 65: 1}}, "malformed", None),
        ({"options": {"<b>": 1}}, "malformed", None),
        ({"game": "../poker"}, "malformed", {"path": "$.game"}),
        ({"mode": "dos-panos\n"}, "malformed", {"path": "$.mode"}),
    ],
)
async def test_table_that_cannot_be(
    house: House, change: dict[str, Any], code: str, params: dict[str, Any] | None
) -> None:
    """Design 3: what a profile does not offer is refused with the reason, and no table is made."""
    status, problem = await house.host.post("/v1/tables", {**TABLE, **change})
    assert (status, problem["code"]) == (422, code)
    assert params is None or problem["params"] == params
    assert (await house.host.seen("/v1/tables"))["tables"] == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"from": "acc_nobody"}, "no_such_account"),
        ({"to": "acc_nobody"}, "no_such_account"),
        ({"from": "transit"}, "malformed"),
        ({"to": "transit"}, "malformed"),
        ({"from": "t/tbl_1"}, "malformed"),
        ({"to": "house"}, "malformed"),
        ({"memo": "x"}, "malformed"),
    ],
)
async def test_transfer_that_cannot_be(house: House, change: dict[str, str], code: str) -> None:
    """Design 7: chips move between accounts of people and the house, and between two of them."""
    account, _ = await house.player(0)
    body = {"from": "house", "to": account, "amount": 5, **change}
    assert await house.host.refused("/v1/transfers", body) == code
    assert (await house.host.seen(f"/v1/accounts/{account}"))["balance"] == 0


async def test_no_more_chips_than_can_be_counted(house: House) -> None:
    """S-9: issuing beyond what an integer holds everywhere is refused, not an error inside."""
    one, _ = await house.player(0)
    two, _ = await house.player(0)
    await house.host.made("/v1/transfers", {"from": "house", "to": one, "amount": 2**53 - 1})
    for account in (one, two):
        body = {"from": "house", "to": account, "amount": 2**53 - 1}
        assert await house.host.refused("/v1/transfers", body) == "amount_out_of_range"
    poor = {"from": two, "to": one, "amount": 1}
    assert await house.host.refused("/v1/transfers", poor) == "insufficient_chips"


@pytest.mark.parametrize("bad", ["", "a b", "x" * 129, "line\nfeed", "\u00e9"])
async def test_reference_that_cannot_be(house: House, bad: str) -> None:
    """S-16: what the integrator calls an account is short and printable."""
    status, problem = await house.host.post("/v1/accounts", {"external_ref": bad})
    assert (status, problem["code"], problem["params"]) == (422, "malformed", {"path": "$.external_ref"})


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/tables/tbl_nowhere", "no_such_table"),
        ("/v1/tables/TBL", "no_such_table"),
        ("/v1/tables/%0a", "no_such_table"),
        ("/v1/tables/a%2Fb/events", "no_such_table"),
        ("/v1/tables/" + "x" * 65, "no_such_table"),
        ("/v1/tables/{table}/rounds/1", "no_such_round"),
        ("/v1/tables/{table}/rounds/last", "no_such_round"),
        ("/v1/tables/{table}/rounds/-1", "no_such_round"),
        ("/v1/tables/{table}/rounds/" + "9" * 40, "no_such_round"),
        ("/v1/tables/{table}/shoes/0", "no_such_shoe"),
        ("/v1/tables/{table}/shoes/1e3", "no_such_shoe"),
        ("/v1/tables/{table}/shoes/1/proofs?pos=0", "no_such_shoe"),
        ("/v1/tables/{table}/events?limit=0", "malformed"),
        ("/v1/tables/{table}/events?limit=501", "malformed"),
        ("/v1/tables/{table}/events?after=-2", "malformed"),
        ("/v1/tables/{table}/events?after=--1", "malformed"),
        ("/v1/tables/{table}/events?after=%D9%A3", "malformed"),
        ("/v1/tables/{table}/rounds?before=x", "malformed"),
        ("/v1/tables/{table}/rounds?before=0", "malformed"),
        ("/v1/tables/{table}/shoes?before=0", "malformed"),
        ("/v1/tables/{table}/options?seat=0", "malformed"),
        ("/v1/tables/{table}/options?seat=x", "malformed"),
        ("/v1/tables/{table}/options?seat=7", "not_seated"),
        ("/v1/tables?after=../", "malformed"),
        ("/v1/tables?after=", "malformed"),
        ("/v1/tables?after=a&after=b", "malformed"),
        ("/v1/accounts?after=tbl_1", "malformed"),
        ("/v1/accounts?limit=", "malformed"),
        ("/v1/accounts?limit=1&limit=1", "malformed"),
        ("/v1/accounts/acc_nobody", "no_such_account"),
        ("/v1/accounts/house", "no_such_account"),
        ("/v1/accounts/transit", "no_such_account"),
        ("/v1/accounts?limit=many", "malformed"),
        ("/v2/tables", "not_found"),
        ("/", "not_found"),
        ("/v1/tables/", "not_found"),
        ("/%ff", "not_found"),
    ],
)
async def test_address_that_leads_nowhere(house: House, table: str, path: str, code: str) -> None:
    """S-16: ids, numbers and pages that cannot be are refused by code, and never looked up."""
    _, problem = await house.host.get(path.replace("{table}", table.rpartition("/")[2]))
    assert problem["code"] == code
    assert set(problem["params"]) <= {"path"}


async def test_positions_that_are_none(house: House) -> None:
    """S-7: positions are numbers with commas, sixty-four at most."""
    table = await house.table()
    await house.seated(table, 1)
    await house.until(table, "betting")
    for bad in ("", "x", "-1", "1,", "1,,2", "1000", ",".join(["0"] * 65)):
        status, problem = await house.host.get(f"{table}/shoes/1/proofs?pos={bad}")
        assert (status, problem["code"]) == (422, "malformed")


async def test_refusals_of_the_moment(house: House) -> None:
    """Glossary 6: wrong phase, foreign or taken seat, nobody's seat: each has its code, 409 or 403."""
    table = await house.table()
    player = await house.seated(table, 1)
    _, other = await house.player()
    command = f"{table}/commands"
    assert await other.post(command, {"type": "sit", "seat": 9}) == (
        409,
        {
            "code": "no_such_seat",
            "detail": "This table has no seat 9.",
            "params": {"seat": 9},
            "seq": (await house.host.seen(table))["seq"],
            "status": 409,
            "title": "No such seat",
            "type": "urn:croupier:problem:no_such_seat",
        },
    )
    assert await other.refused(command, {"type": "sit", "seat": 1}) == "seat_taken"
    assert await other.refused(command, {"type": "stake", "on": "left", "amount": 1}) == "not_seated"
    assert await other.refused(command, {"type": "leave", "seat": 1}) == "forbidden"
    assert await other.refused(command, {"type": "buy_in", "seat": 1, "amount": 1}) == "forbidden"
    assert await player.refused(command, {"type": "sit", "seat": 2}) == "already_seated"
    assert await player.refused(command, {"type": "draw"}) == "wrong_phase"
    assert await player.refused(command, {"type": "leave", "decision": "betting:1"}) == "decision_over"
    assert await player.refused(command, {"type": "leave", "if_seq": 0}) == "forbidden"
    assert await house.host.refused(command, {"type": "leave", "seat": 1, "if_seq": 0}) == "version_conflict"
    assert await player.refused(command, {"type": "buy_in", "amount": 1}) == "insufficient_chips"


NEEDS_SEAT: dict[str, dict[str, Any]] = {
    "sit": {"account": "acc_1"},
    "seat_bot": {"policy": "steady"},
    "leave": {},
    "buy_in": {"amount": 1},
    "cash_out": {},
    "stake": {"on": "right", "amount": 1},
    "unstake": {"on": "right", "amount": 1},
    "offer_bank": {"amount": 1},
    "consent": {"yes": True},
    "bid_bank": {"amount": 1},
    "enter_lot": {},
    "accept_bank": {"amount": 1},
    "decline_bank": {},
    "end_bank": {},
    "pass_bank": {},
    "request_new_shoe": {},
    "accept_all_stakes": {},
    "set_aside": {"amount": 1},
    "ask_share": {"amount": 1},
    "answer_share": {"associate": 2, "yes": True},
    "banco": {},
    "con_la_mesa": {},
    "pass_banco": {},
    "draw_stock": {},
    "concede": {},
    "name_trump": {"trump": "O"},
    "delegate": {},
    "pass": {},
    "contest": {"trump": "butifarra"},
    "insist": {},
    "contro": {},
    "recontro": {},
    "sant_vicenc": {},
    "barraca": {},
}
"""What a host cannot mean without a seat, each with its other fields."""
NO_SEAT: dict[str, dict[str, Any]] = {
    "join": {"account": "acc_1"},
    "expire": {"decision": "betting:1"},
    "pause": {},
    "resume": {},
    "close_table": {},
    "propose_correction": {"kind": "void_round"},
    "approve_correction": {},
    "reject_correction": {},
    "call": {"call": "place_bets"},
    "announce_bank": {},
    "deal": {},
    "show": {},
    "settle": {},
    "next_round": {},
}
"""What has nothing to do with a seat."""
FREE_SEAT = {
    "cut_reveal",
    "set_cut_willing",
    "cut_commit",
    "cut_decline",
    "draw",
    "stand",
    "lay_down",
    "play",
    "declare",
    "exchange_seven",
    "show_seven",
    "replenish_bank",
}
"""What anybody may bring for a seat, what no host may say at all, and what he may say for the house too."""


def test_every_command_is_sorted() -> None:
    """Design 8: of every command it is known whether a host names a seat with it."""
    every = [*NEEDS_SEAT, *NO_SEAT, *FREE_SEAT]
    assert sorted(every) == sorted(str(kind.__struct_config__.tag) for kind in COMMANDS)


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("kind", [*NEEDS_SEAT, *NO_SEAT])
async def test_a_seat_missing_or_too_many(house: House, table: str, kind: str) -> None:
    """Design 8: a seat that is missing, or means nothing, is told as such, and nothing is done or kept."""
    fields = NEEDS_SEAT.get(kind) or NO_SEAT.get(kind) or {}
    wrong = {"type": kind, **fields, **({"seat": 1} if kind in NO_SEAT else {})}
    right = {"type": kind, **fields, **({"seat": 1} if kind in NEEDS_SEAT else {})}
    for _ in range(2):
        status, problem = await house.host.post(f"{table}/commands", wrong, "k")
        assert (status, problem["code"], problem["params"]) == (422, "malformed", {"path": "$.seat"})
    _, answer = await house.host.post(f"{table}/commands", right, "k")
    assert answer["code"] not in {"malformed", "key_reused"}


async def test_a_players_own_seat_is_known(house: House) -> None:
    """Design 8: a player names a seat to sit down, none to join, and his own as he likes."""
    table = await house.table()
    _, player = await house.player()
    for wrong in ({"type": "sit"}, {"type": "join", "seat": 1001}):
        status, problem = await player.post(f"{table}/commands", wrong)
        assert (status, problem["code"], problem["params"]) == (422, "malformed", {"path": "$.seat"})
    await player.made(f"{table}/commands", {"type": "sit", "seat": 1})
    await player.made(f"{table}/commands", {"type": "buy_in", "amount": 5})
    await player.made(f"{table}/commands", {"type": "buy_in", "amount": 5, "seat": 1})
    for barred in ({"type": "pause", "seat": 1}, {"type": "seat_bot", "policy": "steady"}):
        assert await player.refused(f"{table}/commands", barred) == "forbidden"
    for word in ("draw", "stand", "lay_down"):
        assert await house.host.refused(f"{table}/commands", {"type": word}) == "forbidden"


async def test_expire_names_a_decision(house: House, table: str) -> None:
    """Design 8: to end no decision in particular is `malformed`, not a decision that is over."""
    status, problem = await house.host.post(f"{table}/commands", {"type": "expire"})
    assert (status, problem["code"], problem["params"]) == (422, "malformed", {"path": "$.decision"})


async def test_nobody_sits_for_somebody_else(house: House) -> None:
    """Design 8: a player names no other account; a host names one, and one that exists."""
    table = await house.table()
    account, player = await house.player()
    other, _ = await house.player()
    for kind in ({"type": "sit", "seat": 1}, {"type": "join"}):
        assert await player.refused(f"{table}/commands", {**kind, "account": other}) == "forbidden"
        assert await house.host.refused(f"{table}/commands", kind) == "malformed"
        for nobody in ("acc_nobody", "house", "transit"):
            body = {**kind, "account": nobody}
            assert await house.host.refused(f"{table}/commands", body) == "no_such_account"
    await player.made(f"{table}/commands", {"type": "sit", "seat": 1, "account": account})
