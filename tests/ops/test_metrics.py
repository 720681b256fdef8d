"""What an operator sees: figures with labels from closed sets, and readiness (design 8, fairness S-22)."""

import asyncio
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from dealer.cage.ledger import Hold, OpenAccount, Transfer, Void
from dealer.croupier.node import Node
from dealer.croupier.order import Order
from dealer.http.messages import COMMANDS
from dealer.journal.journal import Journal
from dealer.rules.frame.commands import Command
from ops import sampling
from ops.metrics import REASONS, Metrics, label_of, labels_of
from ops.reference import KINDS, command_types
from ops.sampling import Durability
from ops.service import opened_store
from ops.settings import Settings
from ops.valkey.client import end
from ops.valkey.serverlog import TROUBLES
from shoe.seal import Vault
from tests.ops.processes import LIMIT_S, Service, until
from tests.terminal.golden import stored

Serve = Callable[..., Service]
FAMILIES = {
    "croupier_append_batch",
    "croupier_append_conflicts",
    "croupier_append_seconds",
    "croupier_commands",
    "croupier_data_free_bytes",
    "croupier_deadline_late_seconds",
    "croupier_deadlines",
    "croupier_embedded_trouble",
    "croupier_events",
    "croupier_hold_oldest_seconds",
    "croupier_holds",
    "croupier_listeners",
    "croupier_queue_depth",
    "croupier_refused",
    "croupier_rounds",
    "croupier_store_log_bytes",
    "croupier_store_memory_bytes",
    "croupier_store_up",
    "croupier_store_uptime_seconds",
}
HIDDEN = {str(kind.__struct_config__.tag) for kind in COMMANDS if kind.HIDDEN}
REFUSALS = tomllib.loads(files("dealer.words").joinpath("en.toml").read_text("utf-8"))["refusals"]
"""Every code that a refusal may have: each can be put into words."""
PATIENT = {"betting_ms": 0, "last_call_ms": 0, "speak_ms": 0, "banker_ms": 0, "between_rounds_ms": 0}
QUEEN_FOUR = ["Q", "2", "A", "4", "5", "2", "8", "J"]
"""The right paño has to draw, the left one stands on seven, the bank draws on three."""


def samples(service: Service) -> Iterator[Sample]:
    """Every series of the figures."""
    for family in text_string_to_metric_families(service.seen("/metrics")):
        yield from family.samples


def commands(service: Service) -> dict[tuple[str, str], float]:
    """How often each command was answered with each code."""
    return {
        (sample.labels["type"], sample.labels["code"]): sample.value
        for sample in samples(service)
        if sample.name == "croupier_commands_total"
    }


@pytest.fixture
def service(serve: Serve) -> Service:
    """A running sandbox."""
    return serve("--sandbox")


def dealt(service: Service, key: str) -> tuple[str, dict[int, str]]:
    """Two guests and known cards; the table when the right paño speaks, and the guests' keys by seat."""
    body = {"game": "bacara", "profile": "seed", "mode": "dos-panos"}
    opened = service.made("/v1/tables", key, {**body, "options": PATIENT, "stacked": QUEEN_FOUR})
    table = f"/v1/tables/{opened['table']}"
    players = {}
    for seat in (1, 11):
        account = service.made("/v1/accounts", key, {})["account"]
        service.made("/v1/transfers", key, {"from": "house", "to": account, "amount": 100})
        service.made(f"{table}/commands", key, {"type": "sit", "seat": seat, "account": account})
        service.made(f"{table}/commands", key, {"type": "buy_in", "seat": seat, "amount": 100})
        players[seat] = service.key("player", account)
    until(lambda: service.seen(table, key)["phase"] == "betting")
    for seat, on in ((1, "right"), (11, "left")):
        service.made(f"{table}/commands", key, {"type": "stake", "seat": seat, "on": on, "amount": 60})
    for _ in range(2):
        (due,) = service.seen(table, key)["due"]
        service.made(f"{table}/commands", key, {"type": "expire", "decision": due["decision"]})
    assert service.seen(table, key)["phase"] == "speak_right"
    return table, players


def scripted_coup(service: Service, key: str) -> str:
    """Two guests, one coup with known cards, a stake too large, a command sent twice; the table."""
    body = {"game": "bacara", "profile": "seed", "mode": "dos-panos"}
    opened = service.made("/v1/tables", key, {**body, "options": PATIENT, "stacked": QUEEN_FOUR})
    table = f"/v1/tables/{opened['table']}"
    for seat in (1, 11):
        account = service.made("/v1/accounts", key, {})["account"]
        service.made("/v1/transfers", key, {"from": "house", "to": account, "amount": 100})
        service.made(f"{table}/commands", key, {"type": "sit", "seat": seat, "account": account})
        service.made(f"{table}/commands", key, {"type": "buy_in", "seat": seat, "amount": 100})
    refused = service.ask(f"{table}/commands", key, {"type": "buy_in", "seat": 1, "amount": 1})
    assert refused[1]["code"] == "insufficient_chips"
    until(lambda: service.seen(table, key)["phase"] == "betting")
    for seat, on in ((1, "right"), (11, "left")):
        stake = {"type": "stake", "seat": seat, "on": on, "amount": 60}
        service.made(f"{table}/commands", key, stake)
    assert service.ask(f"{table}/commands", key, stake)[1]["code"] == "insufficient_chips"
    sitting = {"type": "sit", "seat": 1, "account": account}
    for _ in range(2):
        assert service.ask(f"{table}/commands", key, sitting, "twice")[1]["code"] == "already_seated"
    for _ in range(4):
        (due,) = service.seen(table, key)["due"]
        service.made(f"{table}/commands", key, {"type": "expire", "decision": due["decision"]})
    assert service.seen(table, key)["phase"] == "between_rounds"
    return table


def test_a_scripted_coup(service: Service) -> None:
    """S-22: commands are counted under their name in the API and their code, each event and round once."""
    key = service.key()
    service.start()
    table = scripted_coup(service, key)
    assert commands(service) == {
        ("open_table", "accepted"): 1,
        ("open_account", "accepted"): 2,
        ("transfer", "accepted"): 2,
        ("sit", "accepted"): 2,
        ("sit", "already_seated"): 2,
        ("buy_in", "accepted"): 2,
        ("buy_in", "insufficient_chips"): 1,
        ("hold", "accepted"): 3,
        ("hold", "insufficient_chips"): 1,
        ("receive", "accepted"): 3,
        ("refusal", "insufficient_chips"): 1,
        ("post", "accepted"): 3,
        ("stake", "accepted"): 2,
        ("stake", "insufficient_chips"): 1,
        ("expire", "accepted"): 4,
    }
    figures = {sample.name: sample.value for sample in samples(service) if not sample.labels}
    book = service.seen("/v1/transfers", key)["next"] + 1
    assert figures["croupier_events_total"] == service.seen(table, key)["seq"] + 1 + book
    assert figures["croupier_rounds_total"] == 1
    assert figures["croupier_queue_depth"] == 0
    assert figures["croupier_append_conflicts_total"] == 0
    assert figures["croupier_append_seconds_count"] == figures["croupier_append_batch_count"]
    kinds = {s.labels["kind"]: s.value for s in samples(service) if s.name == "croupier_deadlines_total"}
    assert kinds == {"chore": figures["croupier_deadline_late_seconds_count"]}


@pytest.mark.parametrize("kind", [kind for kind in COMMANDS if kind.HIDDEN])
def test_a_refusal_tells_no_card(kind: type[Command]) -> None:
    """S-20, S-22: whatever it was and why, a refused move that depends on a hidden face counts alike."""
    for code in ("illegal_action", "wrong_phase", "not_holder", "forbidden", "key_reused", "decision_over"):
        assert labels_of(kind, code) == ("hidden", "refused")
    assert labels_of(kind, "accepted") == (kind.__struct_config__.tag, "accepted")


def test_all_other_answers_are_told() -> None:
    """S-22: any other answer is counted under its own type and code."""
    for kind in COMMANDS:
        if not kind.HIDDEN:
            assert labels_of(kind, "wrong_phase") == (kind.__struct_config__.tag, "wrong_phase")


def test_hands_stay_hidden(service: Service) -> None:
    """S-20: from the figures, which anybody may read, nobody learns what the hand that speaks may do."""
    key = service.key()
    service.start()
    table, players = dealt(service, key)
    before = service.seen("/metrics")
    reasons = [
        service.ask(f"{table}/commands", players[seat], {"type": word})[1]["code"]
        for seat, word in ((1, "stand"), (1, "lay_down"), (11, "draw"))
    ]
    assert reasons == ["illegal_action", "illegal_action", "not_your_turn"]
    assert service.ask(f"{table}/commands", key, {"type": "draw", "seat": 1})[1]["code"] == "forbidden"
    counted = {labels: n for labels, n in commands(service).items() if labels[0] in {*HIDDEN, "hidden"}}
    assert counted == {("hidden", "refused"): 4}
    changed = set(service.seen("/metrics").splitlines()) - set(before.splitlines())
    assert not [line for line in changed if re.search("draw|stand|lay_down|illegal|holder", line)]
    service.made(f"{table}/commands", players[1], {"type": "draw"})
    assert commands(service)["draw", "accepted"] == 1


def test_labels(service: Service) -> None:
    """S-22: the families are those that are promised; labels are of closed sets, none is a table or an id."""
    key = service.key()
    service.start()
    scripted_coup(service, key)
    families = list(text_string_to_metric_families(service.seen("/metrics")))
    assert {family.name for family in families} == FAMILIES
    assert all(family.documentation for family in families)
    every = list(samples(service))
    assert {name for sample in every for name in sample.labels} == {"type", "code", "kind", "le", "reason"}
    assert {s.labels["type"] for s in every if "type" in s.labels} <= {*command_types()}
    answers = {s.labels["code"] for s in every if s.name == "croupier_commands_total"}
    assert answers <= {"accepted", "refused", *REFUSALS}
    troubles = {s.labels["code"] for s in every if s.name == "croupier_embedded_trouble"}
    assert troubles == {*TROUBLES}
    assert {s.labels["kind"] for s in every if "kind" in s.labels} <= {*KINDS}
    assert {s.labels["reason"] for s in every if "reason" in s.labels} == {*REASONS}
    assert len(every) < 2000


def test_names_of_commands() -> None:
    """A command has the same name in the figures as on the wire."""
    assert [label_of(kind.__name__) for kind in COMMANDS] == [k.__struct_config__.tag for k in COMMANDS]
    assert label_of("OpenTable") == "open_table"


def figure(service: Service, name: str) -> float:
    """The value of a series without labels."""
    (value,) = [sample.value for sample in samples(service) if sample.name == name]
    return value


def troubles(service: Service) -> set[str]:
    """For which reasons the embedded server is down."""
    every = [sample for sample in samples(service) if sample.name == "croupier_embedded_trouble"]
    return {sample.labels["code"] for sample in every if sample.value}


def health(service: Service) -> list[str]:
    """What the log says of the store, in codes."""
    return [line["code"] for line in service.log() if line["event"] == "store_health"]


def test_readiness(service: Service) -> None:
    """Design 8: while Valkey is down the service is alive and not ready; afterwards it is ready by itself."""
    service.start()
    ready = service.seen("/readyz")
    assert (ready["ready"], ready["store"], ready["durability"]) == (True, "embedded", "checked")
    until(lambda: figure(service, "croupier_store_up") == 1)
    sizes = ("store_memory_bytes", "store_log_bytes", "data_free_bytes")
    until(lambda: all(figure(service, f"croupier_{name}") > 0 for name in sizes))
    assert troubles(service) == set()
    with service.without_store():
        status, problem = service.ask("/readyz")
        assert (status, problem["code"], problem["params"]["ready"]) == (503, "unavailable", False)
        assert service.ask("/healthz")[0] == 200
        until(lambda: figure(service, "croupier_store_up") == 0)
        until(lambda: troubles(service) == {"manifest_missing"})
    until(lambda: service.ask("/readyz")[0] == 200)
    until(lambda: "server_back" in health(service))
    assert health(service)[0] == "server_ended"
    until(lambda: figure(service, "croupier_store_up") == 1)
    assert troubles(service) == set()


async def test_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Design 7: a hold that nobody has ended yet is counted, with its age, until it is ended."""
    monkeypatch.setattr(sampling, "EVERY_S", 0.1)
    settings, metrics = Settings(data=tmp_path / "data"), Metrics()
    async with opened_store(settings) as store:
        journal = Journal(store.redis)
        await journal.open()
        node = Node(journal, store.identity.service, Vault(store.keys, store.active_key_id), metrics)
        looking = asyncio.create_task(sampling.sample(metrics, settings, store, node, Durability()))

        async def told(pattern: str) -> None:
            async with asyncio.timeout(LIMIT_S):
                while not re.search(f"^{pattern}$", metrics.text().decode(), re.MULTILINE):
                    await asyncio.sleep(0.02)

        async def send(*commands: object) -> None:
            for command in commands:
                key = type(command).__name__
                answer = await node.cage.send(Order("me", key, "", command, "system", journal.now()))
                assert answer.accepted

        await send(
            OpenAccount("acc_1"), Transfer(5, "house", "acc_1", "x_1"), Hold(5, "acc_1", "t/tbl_1", "x_2")
        )
        await told("croupier_holds 1.0")
        await told("croupier_hold_oldest_seconds (?!0[.]0$).*")
        await send(Void("x_2"))
        await told("croupier_holds 0.0")
        await told("croupier_hold_oldest_seconds 0.0")
        await end(looking)
        await node.cage.rest()
        await journal.close()


def test_who_is_kept_out_is_counted() -> None:
    """S-7, S-8: each reason for which a bound keeps somebody out has a figure of its own."""
    metrics = Metrics()
    for count, reason in enumerate(REASONS):
        for _ in range(count):
            metrics.turned_away(reason)
        assert f'croupier_refused_total{{reason="{reason}"}} {float(count)}' in metrics.text().decode()


def test_an_idle_disk_is_not_watched() -> None:
    """The room for the data of a server of one's own is unknown, which is not none."""
    lines = Metrics().text().decode().splitlines()
    assert "croupier_data_free_bytes NaN" in lines


def test_rounds_are_counted_where_they_end() -> None:
    """A node that only hears of the end of a coup does not count it, or the sum over nodes would be wrong."""
    metrics, log = Metrics(), stored()
    metrics.told(log)
    assert b"croupier_rounds_total 0.0" in metrics.text()
    metrics.appended(1, len(log), 0.001)
    metrics.told(log)
    once = metrics.text()
    metrics.told(log)
    assert metrics.text() == once
    ends = sum(event.type == "round.ended" for event in log)
    assert f"croupier_rounds_total {float(ends)}".encode() in once
    assert ends > 0
