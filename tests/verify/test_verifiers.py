"""Good records and bad ones, judged by both verifiers (fairness 1.4 to 1.6, 1.12)."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from ops.cli.verify import examine, verify
from tests.shoe.reference import NAMES, VECTORS
from tests.shoe.test_verify import CASES, CONTRIBUTION_TAMPERINGS, HASH, MOVED, SEED, TAMPERINGS, UNPROVED
from tests.verify.programs import alone, answer, croupier, written
from tests.verify.records import Record, by_hand, records, tampered

FEW = settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
"""Each example starts a program; none is judged by the clock."""

GOOD = {"good": True, "live": False, "problems": []}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the records of a module's tests lie, one after the other."""
    return tmp_path_factory.mktemp("records")


def house(record: object) -> list[str]:
    """What the command finds wrong."""
    _, problems = examine(json.dumps(record).encode())
    return problems


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_a_known_answer_is_good(vector: Record, folder: Path) -> None:
    """Fairness 1.12: the published records pass both verifiers, each started as a program."""
    file = written(vector, folder)
    assert answer(alone(file, "--json")) == GOOD
    assert answer(croupier(file, "--json")) == GOOD
    for done in (alone(file), croupier("-", given=file.read_text(encoding="utf-8"))):
        assert (done.returncode, done.stdout) == (0, "all is as promised\n")


@pytest.mark.parametrize(
    ("vector", "tamper"),
    [
        pytest.param(vector, tamper, id=f"{vector['transcript']['table']}-{name}")
        for vector, name, tamper, _ in CASES
    ],
)
def test_a_tampering_is_refused(
    vector: Record, tamper: Callable[[Record], None], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fairness 1.12: each of the tamperings is refused by both, in sentences."""
    record = copy.deepcopy(vector)
    tamper(record)
    file = written(record, folder)
    done = alone(file)
    assert (done.returncode, done.stderr) == (1, "")
    assert verify(file) == 1
    for said in (done.stdout, capsys.readouterr().out):
        assert re.fullmatch(r"([a-z].{10,}\n)+", said)


def test_a_bad_record_ends_the_command_with_1(folder: Path) -> None:
    """The exit code of `croupier verify` is 1 for a bad record, and its answer tells why."""
    file = written({**VECTORS[0], "seed": "00" * 32}, folder)
    done = croupier(file, "--json")
    assert done.returncode == 1
    assert answer(done)["good"] is False
    assert "the seed does not open the commitment" in "".join(answer(done)["problems"])


@pytest.mark.usefixtures("counted")
def test_the_command_says_when_there_is_nothing_to_check(folder: Path) -> None:
    """Wrong usage is told apart from a bad record: exit code 2, and nothing on standard output."""
    for arguments in ([], [folder / "none.json"], [folder]):
        done = croupier(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr


@FEW
@given(records())
def test_an_honest_record_is_good(folder: Path, record: Record) -> None:
    """Fairness 1.4 to 1.6: whatever the deck, the cut and the contributions, and also while play goes on."""
    done = alone(written(record, folder), "--json")
    assert answer(done) == {**GOOD, "live": "seed" not in record}
    assert done.returncode == 0
    assert house(record) == []


@FEW
@given(tampered())
def test_both_judge_a_changed_record_alike(folder: Path, record: Record) -> None:
    """Fairness 1.12: two verifiers written apart agree; a change either refuses, the other refuses too."""
    done = alone(written(record, folder), "--json")
    found = answer(done)
    assert done.returncode == (1 if found["problems"] else 0)
    assert (house(record) == []) is found["good"]


@FEW
@given(by_hand())
def test_cards_laid_by_hand_are_never_called_random(folder: Path, record: Record) -> None:
    """Design 6: of a stacked shoe both say "not random", and nothing else if all the rest is right."""
    for each in (record, {name: record[name] for name in record if name not in {"seed", "faces"}}):
        done = alone(written(each, folder), "--json")
        assert done.returncode == 1
        assert (
            answer(done)["problems"] == house(each) == ["not random: the cards were laid by hand (stacked/1)"]
        )


def test_of_a_live_shoe_the_cards_shown_are_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Fairness 1.6: without the seed every card shown is proved; both say that the rest is not checked."""
    live = copy.deepcopy(VECTORS[0])
    del live["seed"]
    file = written(live, folder)
    said = "what is open so far is as promised; all else waits for the seed\n"
    assert (alone(file).stdout, verify(file), capsys.readouterr().out) == (said, 0, said)

    live["exposed"][1]["card"] ^= 1
    file = written(live, folder)
    said = f"the card shown at position {live['exposed'][1]['pos']} is not proved by the shoe root\n"
    done = alone(file)
    assert (done.returncode, done.stdout) == (1, said)
    assert (verify(file), capsys.readouterr().out) == (1, said)


NEEDS_THE_SEED = {"seed", "root"}
INSTEAD = {SEED: HASH, MOVED: UNPROVED}
"""What is found in its place without the seed."""


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        pytest.param(tamper, said, id=name)
        for name, (tamper, said) in (TAMPERINGS | CONTRIBUTION_TAMPERINGS).items()
        if name not in NEEDS_THE_SEED
    ],
)
def test_of_a_live_shoe_the_transcript_is_checked(
    tamper: Callable[[Record], None], said: str, folder: Path
) -> None:
    """Fairness 1.4: contributions, their order, cutter, deck and hash need no seed; both look at them."""
    record = copy.deepcopy(VECTORS[0])
    tamper(record)
    del record["seed"]
    assert any(INSTEAD.get(said, said) in problem for problem in house(record))
    assert answer(alone(written(record, folder), "--json"))["good"] is False


@pytest.mark.parametrize("name", ["card", "pos"])
def test_a_number_of_more_than_16_bits_is_refused(name: str, folder: Path) -> None:
    """Fairness 1.6: a leaf has 16 bits for a position and 16 for a card; a larger number is no crash."""
    record = copy.deepcopy(VECTORS[0])
    record["exposed"][0][name] = 2**16
    done = alone(written(record, folder))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == f"the record is malformed: record.exposed[0].{name}\n"
    assert house(record) != []


RUBBISH = ["", "null", "5", '"seed"', "[]", "{}", '{"seed": 1}', "{", "[" * 100_000, '"\udcff"']


@pytest.mark.parametrize("text", RUBBISH, ids=lambda text: repr(text[:12]))
def test_what_is_no_record_is_refused(text: str, folder: Path) -> None:
    """Fairness 1.12: a verifier answers for any input, and never with a traceback."""
    raw = text.encode("utf-8", "surrogateescape")
    file = folder / "RUBBISH.json"
    file.write_bytes(raw)
    done = alone(file)
    assert (done.returncode, done.stderr) == (1, "")
    assert re.match("the record is (malformed|not JSON)", examine(raw)[1][0])
