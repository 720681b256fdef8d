"""The narrator: the words of a whole evening, and never a face too early."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dealer.rules.bacara.events import (
    BankConstituted,
    BankEnded,
    CoveredStake,
    RoundSettled,
    StakesClosed,
    StakesCovered,
)
from dealer.rules.bacara.game import BACARA
from dealer.rules.frame.event import Data, Event
from dealer.rules.frame.events import (
    EVENTS,
    CardDealt,
    CardExposed,
    Change,
    ChipsBoughtIn,
    ChipsMoved,
    CorrectionApproved,
    CorrectionProposed,
    CorrectionRejected,
    Move,
    PersonLeft,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    ShoeSealed,
    ShoeVoided,
    TableClosed,
    TableClosing,
    TableOpened,
    TablePaused,
    TableResumed,
)
from dealer.rules.frame.state import Table
from dealer.table.aggregate import replay
from dealer.words import LANGUAGES, Words
from ops.terminal import Narrator
from ops.terminal.paint import WIDTH, bare
from shoe.cards import Deck
from tests.terminal.golden import stored, text_of, told
from tests.terminal.played import play

FACE = re.compile("(?:10|[A2-9JQK])[♣♦♥♠]")
DECK = Deck("fr52", 3)
LOG = stored()


class Cheered(Data, frozen=True, gc=False):
    """An event no narrator has heard of."""

    TYPE = "crowd.cheered"


def event_of(data: Data, number: int = 1) -> Event:
    """An event of a made-up log."""
    return Event("croupier", 0, data, "croupier.example/t/tbl_1", number, 0, data.TYPE, data.V)


def check_faces(events: list[Event], lang: str, color: bool) -> int:
    """Every face in a line belongs to a card that is up in this coup; return how many faces were told."""
    narrator, words = Narrator(lang, color), Words(lang)
    up: set[str] = set()
    count = 0
    for event in events:
        if type(event.data) is RoundStarted:
            up = set()
        if type(event.data) is CardExposed:
            up.add(words.symbol(DECK.face(event.data.card)))
        for line in narrator.lines(event):
            faces = FACE.findall(bare(line))
            assert up.issuperset(faces), (line, up)
            count += len(faces)
    return count


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_example_reads_as_it_should(lang: str) -> None:
    """The evening of the example is told word for word as its text (update: `tests.terminal.golden`)."""
    assert "\n".join([*told(LOG, lang), ""]) == text_of(lang).read_text(encoding="utf-8")


def test_the_example_is_a_log_of_the_engine() -> None:
    """The stored log still replays: its last event is the table's, and its chips add up to nothing."""
    table = replay(BACARA, Table(log=LOG[0].log), LOG)
    assert table.seq == len(LOG) - 1
    assert sum(table.chips.values()) == 0


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("color", [False, True])
def test_colours_change_nothing_but_colours(lang: str, color: bool) -> None:
    """Without their colours the lines are the expected text, so nothing is said by colour alone."""
    lines = told(LOG, lang, color)
    assert [bare(line) for line in lines] == told(LOG, lang)
    assert ("\x1b[" in "".join(lines)) is color


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_fit_a_terminal(lang: str) -> None:
    """No line of the example is wider than 80 columns or ends in blanks."""
    for line in told(LOG, lang):
        assert len(line) <= WIDTH
        assert line == line.rstrip()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_face_of_the_showdown_is_told(lang: str) -> None:
    """Every card that is turned up gets into a line once at least: the check of faces sees faces."""
    exposed = [event for event in LOG if type(event.data) is CardExposed]
    assert check_faces(LOG, lang, color=False) >= len(exposed) > 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(LANGUAGES), st.booleans())
def test_no_face_before_it_is_exposed(label: int, lang: str, color: bool) -> None:
    """Whatever is dealt, a face is in no line before its `card.exposed` (R-33, property 9 of 15.4)."""
    check_faces(play(f"faces {label}"), lang, color)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, len(LOG) - 1)), st.integers(0, DECK.size - 1), st.sampled_from(LANGUAGES))
def test_a_log_with_gaps_tells_no_hidden_face(gone: set[int], shift: int, lang: str) -> None:
    """With any events missing and any cards dealt, lines still show exposed cards alone, and none fails."""
    kept = [event for n, event in enumerate(LOG) if n not in gone]
    other = [
        replace(e, data=replace(e.data, card=(e.data.card + shift) % DECK.size))
        if type(e.data) is CardExposed
        else e
        for e in kept
    ]
    check_faces(other, lang, color=False)


@given(st.integers(0, len(LOG)))
def test_a_late_watcher_sees_the_same(start: int) -> None:
    """Whoever comes later hears of each further coup what all hear; only its heading may lack the bank."""
    first = next((n for n, e in enumerate(LOG) if n >= start and type(e.data) is RoundStarted), len(LOG))
    early, late = Narrator("en", color=False), Narrator("en", color=False)
    for event in LOG[:first]:
        early.lines(event)
    for event in LOG[start:first]:
        late.lines(event)
    expected = [line for event in LOG[first:] for line in early.lines(event)]
    heard = [line for event in LOG[first:] for line in late.lines(event)]
    headings = [n for n, line in enumerate(expected) if line.startswith("── ")]
    assert [x for n, x in enumerate(heard) if n not in headings] == [
        x for n, x in enumerate(expected) if n not in headings
    ]
    assert all(heard[n].startswith(expected[n][:9]) for n in headings)


def test_unknown_events_are_passed_over() -> None:
    """A type of event the narrator does not know gives no line and changes none that follows."""
    mixed = [each for event in LOG for each in (event_of(Cheered()), event)]
    assert told(mixed, "es") == told(LOG, "es")
    assert told([event_of(Cheered())], "es") == []


@settings(max_examples=60)
@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=200), st.booleans())
def test_a_full_table_keeps_to_its_line(amounts: list[int], color: bool) -> None:
    """However many stakes lie on a paño, they take one line of 80 columns with their exact sum."""
    stakes = tuple(CoveredStake(2 * n, n, "right", 1001 + i) for i, n in enumerate(amounts))
    covered = StakesCovered(10**12, {"right": 0}, stakes)
    (line,) = Narrator("en", color).lines(event_of(covered))
    assert len(bare(line)) == WIDTH
    assert line.endswith(f"  {sum(amounts):,}")


def test_a_stake_in_part_says_of_how_much() -> None:
    """A stake the bank covers in part shows what plays and what was staked; one without cover is left out."""
    stakes = (CoveredStake(100, 40, "left", 11), CoveredStake(30, 0, "left", 12))
    (line,) = Narrator("en", color=False).lines(event_of(StakesCovered(40, {"left": 11}, stakes)))
    assert "I1 40/100" in line
    assert "I2" not in line


def test_a_stacked_shoe_says_so() -> None:
    """A shoe laid by hand is called what it is, beside its seal (design 6)."""
    (sealed,) = [event for event in LOG if type(event.data) is ShoeSealed]
    laid = replace(sealed.data, transcript=replace(sealed.data.transcript, profile="stacked/1"))
    narrator = Narrator("en", color=False)
    assert not any("not random" in line for line in narrator.lines(sealed))
    assert any("not random" in line for line in narrator.lines(event_of(laid)))


def test_one_pano_has_other_labels() -> None:
    """At a table with one paño seats are J1, J2, ... (glossary, section 2)."""
    narrator = Narrator("en", color=False)
    opened = msgspec.structs.asdict(LOG[0].data) | {"mode": "tournant", "options": {"panos": 1}}
    narrator.lines(event_of(TableOpened(**opened)))
    assert narrator.lines(event_of(ChipsBoughtIn(amount=50, place="stack:12", x="x_1_1"))) == [
        "J12 buys in for 50"
    ]


def test_the_bank_buys_in_silently() -> None:
    """Chips that arrive for the bank are told once, when the bank stands."""
    assert (
        Narrator("en", color=False).lines(event_of(ChipsBoughtIn(amount=50, place="bank", x="x_1_1"))) == []
    )


def test_a_coup_without_stakes_is_said_only_if_it_was_watched() -> None:
    """R-24: nothing covered, no cards; but whoever came in the middle of a coup does not say so."""
    ended = event_of(RoundEnded(0))
    watched = Narrator("en", color=False)
    watched.lines(event_of(StakesClosed(source="automation")))
    assert len(watched.lines(ended)) == 1
    dealt = Narrator("en", color=False)
    dealt.lines(event_of(StakesClosed(source="automation")))
    dealt.lines(event_of(CardDealt(0, 1, "right")))
    assert dealt.lines(ended) == []
    assert Narrator("en", color=False).lines(ended) == []


def test_a_bank_without_seats_settles_in_one_line() -> None:
    """What the bank gained is told even if no paño's result was seen."""
    assert Narrator("en", color=False).lines(event_of(RoundSettled(500, -20))) == ["  bank 500 (\u221220)"]


def test_what_an_open_bank_s_banker_pays_from_his_stack_is_told() -> None:
    """Beside what the bank lost, so that what all have won is accounted for (R-29)."""
    narrator = Narrator("en", color=False)
    moves = (Move(100, "stake:right:2", "bank"), Move(250, "stack:1", "stack:2"))
    assert narrator.lines(event_of(ChipsMoved("settlement", moves))) == []
    lines = narrator.lines(event_of(RoundSettled(0, -1000)))
    assert lines == ["  D1 \u2212250", "  bank 0 (\u22121,000)"]


def test_people_may_bank_and_leave() -> None:
    """A banker among the people is named, gets back what is left, and standing players go as they came."""
    narrator = Narrator("es", color=False)
    stands = event_of(BankConstituted(amount=500, banker=3, mode="auction"))
    assert narrator.lines(stands) == ["D3 pone la banca: 500"]
    ended = event_of(BankEnded(amount=350, banker=3, reason="will"))
    assert narrator.lines(ended) == ["", "Fin de la banca: el banquero la termina", "Se devuelven 350"]
    assert narrator.lines(event_of(PersonLeft(seat=1002, source="player"))) == ["P2 se va"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_happens_to_the_table_is_told(lang: str) -> None:
    """Pauses, voids, and the closing are said in one line each, so a watcher knows why nothing moves."""
    narrator = Narrator(lang, color=False)
    notices: list[Data] = [
        TablePaused(reason="host", source="host"),
        TablePaused(reason="cut_aborted", source="automation"),
        TableResumed(source="host"),
        TableClosing(now=False, source="host"),
        TableClosing(now=True, source="host"),
        TableClosed(),
        ShoeVoided((), "host", 12),
        RoundVoided((), "host"),
        *(
            kind(by="pid_a", kind=what)
            for kind in (CorrectionProposed, CorrectionApproved, CorrectionRejected)
            for what in ("void_round", "void_shoe", "resume", "result")
        ),
    ]
    told_lines = [narrator.lines(event_of(data, 1234)) for data in notices]
    assert [len(lines) for lines in told_lines] == [2] * len(notices)
    said = [line for _, line in told_lines]
    assert len(set(said)) == len(said)
    assert max(map(len, said)) <= WIDTH
    assert "12" in said[6]
    assert Words(lang).number(1234) in said[7]
    assert narrator.lines(event_of(CorrectionProposed(by="pid_a", kind="of_tomorrow"))) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whose_chips_are_put_right_is_told(lang: str) -> None:
    """S-26: after a correction a watcher knows of which coup it was, and what everybody has got or given."""
    changes = (Change(970, 1_000, "house", "bank"), Change(25, 20, "house", "house_box"))
    approved = CorrectionApproved(
        by="pid_a", changes=(*changes, Change(125, 100, "pid_b", "stack:11")), corrects=7, kind="result"
    )
    narrator, words = Narrator(lang, color=False), Words(lang)
    _, said, chips = narrator.lines(event_of(approved))
    assert "7" in said
    assert chips.split(" · ") == [
        f"  {words.line('bank')} {words.change(-30)}",
        f"{words.line('house_box')} {words.change(5)}",
        f"I1 {words.change(25)}",
    ]


SILENT = {
    "chips.cashed_out",
    "chips.rejected",
    "deadline.moved",
    "seeds.committed",
    "shoe.closed",
    "shoe.ready",
    "stake.placed",
    "stake.withdrawn",
}
"""What whoever watches hears of otherwise, or need not hear: chips as stakes, the house's own work."""


def test_every_event_has_its_words() -> None:
    """Design 10: the narrator knows every type of event there is, but for those it passes over by choice."""
    untold = {*EVENTS, *BACARA.events} - Narrator("en", color=False)._tell.keys()
    assert {kind.TYPE for kind in untold} == SILENT


def test_no_such_language() -> None:
    """A language without a file is refused when the narrator is made, not at the first line."""
    with pytest.raises(ValueError, match="en, es"):
        Narrator("xx", color=False)
