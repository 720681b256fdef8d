"""The demonstration: told in both languages, without a gap or a repetition, for as long as somebody reads."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dealer.rules.frame.event import Event
from dealer.rules.frame.events import ChipsBoughtIn
from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec
from ops.demo import REST_S, SEATS, TABLE
from ops.terminal import Narrator
from tests.ops.processes import LIMIT_S, MAIN, Service, environment, until
from tests.valkey.conftest import servers_in

pytestmark = pytest.mark.usefixtures("counted")
Serve = Callable[..., Service]
PAGE = 500
HEADER = re.compile(r"croupier\n  API .*\n  [a-zó]+ +http://127\.0\.0\.1:\d+/docs\n\n")


def told(service: Service, key: str) -> list[Event]:
    """The log of the demonstration's table as the API pages it."""
    read, found, after = codec(GAMES["bacara"]).decode, [], -1
    while True:
        page = service.seen(f"/v1/tables/{TABLE}/events?limit={PAGE}&after={after}", key)
        found += [read(json.dumps(event).encode()) for event in page["events"]]
        if len(page["events"]) < PAGE:
            return found
        after = page["next"]


def called(service: Service, coups: int) -> None:
    """Wait until so many coups have been opened in words."""
    until(lambda: service.printed.count("¡Hagan juego, señores!") >= coups)


def test_told_once(serve: Serve) -> None:
    """However often it is stopped, what the log of the table has is told, in order, once and in words."""
    service = serve("--demo", "--pace", "20")
    key = service.key()
    for coups in (1, 2, 3):
        service.start()
        called(service, coups)
        assert service.stop() == 0
    assert service.log() == []
    printed = HEADER.sub("", service.printed)
    assert len(HEADER.findall(service.printed)) == 3
    log = told(serve().start(), key)
    narrator = Narrator("es", color=False)
    lines = [f"{line}\n" for event in log for line in narrator.lines(event)]
    assert "".join(lines).startswith(printed)


def test_broke_bots(serve: Serve) -> None:
    """A bot without a chip at the table buys in again, for what it first came with."""
    service = serve("--demo", "--pace", "20")
    key = service.key()
    called(service.start(), 1)

    def bought() -> list[int]:
        """What the bot at seat 2 has bought in for, after its stack was taken from it once more."""
        service.ask(f"/v1/tables/{TABLE}/commands", key, {"type": "cash_out", "seat": 2})
        bought = (e.data for e in told(service, key) if type(e.data) is ChipsBoughtIn)
        return [data.amount for data in bought if data.place == "stack:2"]

    until(lambda: len(bought()) > 1)
    assert set(bought()) == {SEATS[2]}


def test_the_end_of_a_demonstration(serve: Serve) -> None:
    """Its table plays on under any later service, until a host closes it; then a start with it just waits."""
    service = serve("--demo", "--pace", "20")
    key = service.key()
    called(service.start(), 1)
    assert service.stop() == 0
    plain = serve()
    table = f"/v1/tables/{TABLE}"
    round_ = plain.start().seen(table, key)["round"]
    until(lambda: plain.seen(table, key)["round"] > round_)
    plain.made(f"{table}/commands", key, {"type": "close_table"})
    until(lambda: plain.seen(table, key)["status"] == "closed")
    book = plain.seen("/v1/accounts", key)["book"]
    assert book == {"accounts": 0, "house": 0, "tables": {}, "transit": 0}
    assert plain.stop() == 0
    seq = service.start().seen(table, key)["seq"]
    time.sleep(1.5 * REST_S)
    assert service.seen(table, key)["seq"] == seq
    assert service.stop() == 0
    assert service.log() == []


def test_pace(serve: Serve) -> None:
    """`--pace` divides the waiting times of a new demonstration; `--lang en` tells it in English."""
    service = serve("--demo", "--pace", "100", "--lang", "en")
    key = service.key()
    service.start()
    until(lambda: "Place your bets, please!" in service.printed)
    options = service.seen(f"/v1/tables/{TABLE}", key)["options"]
    assert (options["betting_ms"], options["bot_think_ms"], options["house_bank"]) == (50, 6, 5000)


def test_nobody_reads(serve: Serve, tmp_path: Path) -> None:
    """When whoever read it has gone, as `head` does, the service stops in good order, without a word."""
    command = [sys.executable, "-c", MAIN, "serve", "--demo", "--pace", "20", "--port", "0"]
    with subprocess.Popen(
        [*command, "--data", tmp_path / "data"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"croupier\n"
        process.stdout.close()
        try:
            assert process.wait(LIMIT_S) == 0
        finally:
            process.kill()
        assert process.stderr.read() == b""
    assert servers_in(tmp_path) == []
    assert (tmp_path / "data" / "croupier.log").read_text(encoding="utf-8") == ""
