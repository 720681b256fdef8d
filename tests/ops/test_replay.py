"""`croupier replay`: a log that holds is told coup by coup, one that does not is refused (design 8)."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dealer.rules.registry import GAMES
from dealer.table.aggregate import codec
from dealer.words import LANGUAGES
from ops.cli.verify import SO_FAR
from ops.replay.broken import Broken
from ops.replay.replay import replay
from shoe.verify import NOT_RANDOM
from tests.golden.test_golden import TABLES
from tests.ops.conftest import Run
from tests.terminal.golden import LOG, text_of

EVENING = LOG.read_bytes().splitlines()
"""Five coups of a house's bank; the shoe is over."""
LOGS = {path.stem: path.read_bytes().splitlines() for path in TABLES}
BANKS, CUTS, VOIDS = (LOGS[f"bacara-{name}"] for name in ("banks", "cuts", "corrections"))
BANCO, OPEN, PUNTO, SHARES = (LOGS[f"bacara-{name}"] for name in ("banco", "accepted", "punto", "associates"))
PAIRS, HAND = (LOGS[f"baciga-{name}"] for name in ("pairs", "standard"))
Event = dict[str, Any]


def canonical(value: Any) -> bytes:
    """The bytes of an event."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def written(lines: list[bytes], folder: Path) -> Path:
    """A file with these lines."""
    file = folder / "log.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    return file


@pytest.mark.parametrize("name", LOGS)
def test_a_log_that_holds_is_read_back(name: str, run: Run, tmp_path: Path) -> None:
    """Every log that a release has written: its coups, each told from the events that it names."""
    lines = LOGS[name]
    code, out, err = run(f"replay {written(lines, tmp_path)} --json")
    by_hand = b'"stacked":true' in lines[0]
    assert (code, err) == (int(by_hand), "")
    coups = [json.loads(line) for line in out.splitlines()]
    assert not by_hand or coups.pop() == {"problem": NOT_RANDOM}
    game = GAMES[name.partition("-")[0]]
    events = [codec(game).decode(line) for line in lines]
    assert [coup["round"] for coup in coups] == sorted({event.round for event in events} - {0})
    for coup in coups:
        own = [event for event in events if event.round == coup["round"]]
        assert (coup["first"], coup["last"]) == (own[0].seq, own[-1].seq)
        plain = json.loads(json.dumps(game.history(own), default=str))
        assert coup["told"] == plain
        over = own[-1].type in {"round.ended", "round.voided"}
        assert coup.get("ended_at") == (own[-1].at if over else None)
        assert coup.get("voided", False) is (own[-1].type == "round.voided")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_log_is_told_in_words(lang: str, run: Run) -> None:
    """Without `--json` it is told as whoever watched the table was told it, and counted at the end."""
    code, out, err = run(f"replay {LOG} --lang {lang}")
    assert (code, err) == (0, "")
    told = text_of(lang).read_text(encoding="utf-8")
    assert out == f"{told}\nevents 191, rounds 5, shuffles proved 1: all is as promised\n"


def test_a_log_is_read_as_the_api_gives_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of `GET .../events`, one a line, are as good as the events; `-` is standard input."""
    pages = [b'{"events":[%s],"next":0}' % b",".join(EVENING[n : n + 50]) for n in range(0, 191, 50)]
    file = written([*pages, b""], tmp_path)
    told = run(f"replay {LOG}")
    assert run(f"replay {file}") == told
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    assert run("replay -") == told


def test_cards_laid_by_hand_are_called_so(run: Run, tmp_path: Path) -> None:
    """Design 6: such a log is told, and its end is that of `croupier verify`: it is not random."""
    code, out, _ = run(f"replay {written(LOGS['bacara-naturals'], tmp_path)}")
    assert code == 1
    assert out.endswith(f": {NOT_RANDOM}\n")


def test_what_waits_for_a_seed_is_said(run: Run, tmp_path: Path) -> None:
    """Fairness 1.8: of a shoe on the table the order is not proved, and hidden hands cannot be judged."""
    spoken = where(EVENING, "hand.laid_down")
    for end, waits in ((spoken, ", shuffles proved 0"), (spoken + 1, ", events that wait for a seed 1")):
        code, out, _ = run(f"replay {written(EVENING[:end], tmp_path)}")
        assert code == 0
        assert out.endswith(f"{waits}: {SO_FAR}\n")


def test_a_log_may_end_anywhere() -> None:
    """What was written so far holds, whenever it is read."""
    for lines in (EVENING[:60], BANKS, CUTS, VOIDS, PAIRS[:40], HAND[:60]):
        for end in range(1, len(lines) + 1):
            assert len(replay(lines[:end]).events) == end


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "5", '{"events":[]}', '{"events":[{}]}', "[" * 100_000]
)
def test_what_is_no_log_is_refused(text: str, run: Run, tmp_path: Path) -> None:
    """Anything at all may be in a file: it is refused in a sentence, never with a traceback."""
    code, out, err = run(f"replay {written([text.encode()], tmp_path)}")
    assert (code, err) == (1, "")
    assert len(out.splitlines()) == 1
    code, out, _ = run(f"replay {written([text.encode()], tmp_path)} --json")
    assert (code, list(json.loads(out))) == (1, ["problem"])


def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    """Wrong usage is told apart from a broken log: exit code 2, and nothing on standard output."""
    for file in (tmp_path, tmp_path / "none"):
        code, out, err = run(f"replay {file}")
        assert (code, out) == (2, "")
        assert err.startswith("croupier: ")


def test_nothing_is_told_of_a_broken_log(run: Run, tmp_path: Path) -> None:
    """What is wrong is said instead, with the event where it is found."""
    broken = [*EVENING[:100], *EVENING[101:]]
    assert run(f"replay {written(broken, tmp_path)}") == (1, "event 100: it says that it is event 101\n", "")


def where(lines: list[bytes], kind: str, number: int = 0) -> int:
    """The line of an event of this type."""
    return [n for n, line in enumerate(lines) if json.loads(line)["type"] == kind][number]


def envelope(**change: Any) -> Callable[[Event], None]:
    """An event with another envelope."""
    return lambda event: event.update(change)


def data(**change: Any) -> Callable[[Event], None]:
    """An event that says something else."""
    return lambda event: event["data"].update(change)


def _more_chips(event: Event) -> None:
    event["data"]["moves"][0]["amount"] += 1


def _nobodys_stack(event: Event) -> None:
    event["data"]["moves"][0]["to"] = "stack:5"


def _other_nonce(event: Event) -> None:
    event["data"]["nonce"] = "0" * 64


def _other_result(event: Event) -> None:
    event["data"]["result"] = "bank" if event["data"]["result"] != "bank" else "pano"


def _other_net(event: Event) -> None:
    event["data"]["stakes"][0]["won"] += 1


def _other_seat(event: Event) -> None:
    event["data"].update(seat=3 - event["data"]["seat"], side=3 - event["data"]["side"])


def _other_contribution(event: Event) -> None:
    event["data"]["commits"][0]["commit"] = "0" * 64


TAMPERED = [
    (EVENING, "stakes.opened", envelope(log="croupier/t/tbl_2"), "it is of another log"),
    (EVENING, "stakes.opened", envelope(at=1), "its time goes back"),
    (EVENING, "stakes.opened", envelope(round=2), "it is of round 2, not 1"),
    (EVENING, "stakes.opened", envelope(seq=3), "it says that it is event 3"),
    (EVENING, "stakes.opened", envelope(v=2), "cannot follow"),
    (EVENING, "stakes.opened", envelope(more=1), "not canonical"),
    (EVENING, "stakes.opened", envelope(type="stakes.sold"), "cannot follow"),
    (
        EVENING,
        "stakes.opened",
        envelope(actor="nobody"),
        r'written stakes.opened actor "croupier", not "nobody"',
    ),
    (EVENING, "stakes.opened", data(source="luck"), r'source "automation", not "luck"'),
    (EVENING, "stake.placed", envelope(actor="pid_host"), "nobody's word, and no rule, brings stake.placed"),
    (EVENING, "seat.taken", envelope(type="table.opened"), "cannot follow"),
    (EVENING, "chips.bought_in", data(amount=1), "amount 1200, not 1$"),
    (EVENING, "chips.moved", _more_chips, "bought_in amount 1201, not 1200"),
    (EVENING, "chips.moved", _nobodys_stack, 'moves 0 to "stack:1", not "stack:5"'),
    (EVENING, "round.ended", data(chips=1), "chips 5200, not 1$"),
    (EVENING, "card.exposed", data(card=51), "card 60, not 51"),
    (EVENING, "card.exposed", data(shuffle=2), "not on the table"),
    (EVENING, "card.exposed", _other_nonce, 'nonce "d1ed'),
    (EVENING, "hand.shown", data(points=10), "hand.shown points 9, not 10"),
    (EVENING, "pano.settled", _other_result, "pano.settled result"),
    (EVENING, "card.dealt", data(pos=1), "the next card of the shoe lies at position 0"),
    (EVENING, "round.started", data(shuffle=2), "not on the table"),
    (EVENING, "pano.settled", _other_net, "stakes 0 won 0, not 1"),
    (EVENING, "round.settled", data(bank=1), "round.settled bank 440, not 1"),
    (EVENING, "shoe.sealed", data(shoe_root="0" * 64), "shoe.sealed shoe_root"),
    (EVENING, "shoe.sealed", data(transcript_hash="0" * 64), "the published hash"),
    (EVENING, "seed.revealed", data(seed="0" * 64), "does not open the commitment"),
    (EVENING, "seed.revealed", data(shuffle=9), "nothing was shuffled with"),
    (BANKS, "lot.drawn", data(winner=11), "somebody else has the highest card"),
    (BANKS, "lot.drawn", data(shuffle=9), "the shuffle the house was committed to"),
    (EVENING, "seeds.committed", lambda e: e["data"]["commitments"].__setitem__(-1, ""), "binds nobody"),
    (CUTS, "corte.committed", data(commit="0" * 63 + "A"), "binds nobody"),
    (CUTS, "corte.closed", _other_contribution, "other commitments than were given"),
    (CUTS, "corte.revealed", data(cut=99), "does not open its commitment"),
    (CUTS, "corte.aborted", data(seed="0" * 64), "does not open the commitment"),
    (CUTS, "corte.aborted", data(seed="A" * 64), "lowercase"),
    (CUTS, "shoe.sealed", lambda e: e["data"]["transcript"].update(cutter=0), "not that of the cut"),
    (VOIDS, "correction.approved", envelope(actor="pid_host"), "nobody's word"),
    (VOIDS, "correction.approved", data(kind="resume"), "nobody's word"),
    (VOIDS, "round.voided", data(approvals=["pid_host"]), "approvals 1"),
    (BANCO, "commission.taken", data(amount=4), "not 4"),
    (OPEN, "pano.settled", _other_net, "pano.settled"),
    (OPEN, "round.settled", data(bank=1), "round.settled"),
    (PUNTO, "pano.settled", _other_result, "pano.settled"),
    (PUNTO, "pano.settled", _other_net, "pano.settled"),
    (SHARES, "share.asked", envelope(actor="pid_3"), "nobody's word"),
    (HAND, "last_trick.scored", data(points=20), "last_trick.scored points 10, not 20"),
    (HAND, "trump.turned", data(trump="X"), 'trump "C", not "X"'),
    (HAND, "card.played", data(card=0), "nobody's word"),
    (HAND, "trick.won", _other_seat, "trick.won seat 2, not 1"),
    (HAND, "meld.declared", data(points=50), "meld.declared points 20, not 50"),
    (HAND, "meld.declared", data(meld="four_aces"), "nobody's word"),
    (HAND, "briscas.counted", data(points=[0, 160]), "points 0 90, not 0"),
    (HAND, "seven.shown", data(points=20), "seven.shown points 10, not 20"),
    (PAIRS, "chips.moved", lambda e: e["data"]["moves"][0].update(to="pit:1"), 'to "stack:1", not "pit:1"'),
]


@pytest.mark.parametrize(
    ("lines", "kind", "change", "said"),
    TAMPERED,
    ids=[f"{kind}: {said}" for _, kind, _, said in TAMPERED],
)
def test_a_tampering_is_refused(
    lines: list[bytes], kind: str, change: Callable[[Event], None], said: str
) -> None:
    """R-00, R-44 to R-49, fairness 1.4 to 1.8: what does not go with the rest is found, and named."""
    at = where(lines, kind)
    event = json.loads(lines[at])
    change(event)
    with pytest.raises(Broken, match=said):
        replay([*lines[:at], canonical(event), *lines[at + 1 :]])


def test_a_void_by_one_person_is_refused() -> None:
    """Fairness 1.8: a log in which somebody approves what he has proposed himself was not written here."""
    proposed = json.loads(VOIDS[where(VOIDS, "correction.proposed")])
    lines = [line.replace(proposed["data"]["by"].encode(), b"pid_one") for line in VOIDS]
    approver = json.loads(lines[where(lines, "correction.approved")])["actor"]
    with pytest.raises(Broken, match="nobody's word"):
        replay([line.replace(approver.encode(), b"pid_one") for line in lines])


def test_bytes_are_those_that_were_stored() -> None:
    """Design 4: the same event with other bytes is another event."""
    for plain, spoiled in ((b":", b": "), (b"croupier", rb"\u0063roupier")):
        with pytest.raises(Broken, match="not canonical"):
            replay([EVENING[0].replace(plain, spoiled, 1), *EVENING[1:]])
