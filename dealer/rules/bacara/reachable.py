"""Which combinations of bacará's fields no log leads to, as a table stands between two commands.

That each field has a possible value is not enough: what is asked here is whether they fit together.
"""

from collections.abc import Iterator

from dealer.rules.bacara.banking import GARAGE
from dealer.rules.bacara.betting import OPEN, place
from dealer.rules.bacara.coverage import PANOS
from dealer.rules.bacara.holders import pano_of
from dealer.rules.bacara.modes import HOUSE, STEPS
from dealer.rules.bacara.punto.coup import next_hand, open_values
from dealer.rules.bacara.punto.limits import PUNTO
from dealer.rules.bacara.speaking import next_phase
from dealer.rules.bacara.staking import bets
from dealer.rules.bacara.state import BANK, SPEAKING, Banco, Play, Seeking, play_of
from dealer.rules.frame.state import STANDING, Table

DEALT = ("dealing", *SPEAKING, "showdown", "settling")
"""The phases of a coup after «no va más»."""
COUP = ("banco", "betting", "last_call", "closed", *DEALT)
PHASES = ("no_bank", "preparing", "between_rounds", *COUP)
STEP_NAMES = ("", *STEPS.values(), "consent", "offered")


def flaws(table: Table) -> Iterator[str]:
    """All that does not fit together, each in a few words; nothing for a state that can be."""
    play = play_of(table)
    yield from _phase(table, play)
    yield from _bank(table, play)
    yield from _stakes(table, play)
    yield from _hands(table, play)
    yield from _banco(table, play.banco)
    yield from _seeking(table, play.seeking)


def _phase(table: Table, play: Play) -> Iterator[str]:
    if table.phase not in PHASES:
        yield f"there is no phase {table.phase}"
    if (table.phase in COUP) != table.playing:
        yield f"a round is {'' if table.playing else 'not '}played in phase {table.phase}"
    if (table.phase == "no_bank") == bool(play.bank_mode):
        yield f"the bank was got by {play.bank_mode or 'nothing'} in phase {table.phase}"


def _bank(table: Table, play: Play) -> Iterator[str]:
    if play.bank_mode and play.bank_mode not in STEPS:
        yield f"a bank is not got by {play.bank_mode}"
    if bool(play.banker) != (play.bank_mode not in {"", HOUSE}):
        yield f"seat {play.banker} banks, but the bank was got by {play.bank_mode or 'nothing'}"
    if play.banker and (play.banker not in table.seats or play.banker >= STANDING):
        yield f"the banker does not sit at {play.banker}"
    if not play.bank_mode and BANK in table.chips:
        yield "chips stand in a bank that is nobody's"
    if not play.bank_mode and GARAGE in table.chips:
        yield "gains are aside of a bank that is nobody's"
    shares = play.holding.shares
    if sum(shares.values()) > table.chips.get(BANK, 0) or not shares.keys() <= table.seats.keys():
        yield "the associates have more than the bank, or are not here"
    for pano, pointer in play.pointers.items():
        if pano not in PANOS or (pointer and pano_of(pointer) != pano):
            yield f"the mano of {pano} stands at {pointer}"


def _stakes(table: Table, play: Play) -> Iterator[str]:
    lying = {name: n for name, n in table.chips.items() if name.startswith("stake:")}
    if lying != {place(s.on, s.seat): s.amount for s in play.stakes.values()}:
        yield "the stakes are not the chips on the cloth"
    for key, stake in play.stakes.items():
        wrong = stake.on not in bets(table.options) or key != f"{stake.on}:{stake.seat}"
        if wrong or stake.seat not in table.seats or stake.seat == play.banker:
            yield f"a stake lies at {key}"
    if table.phase in OPEN and bool(play.first_stake) != bool(play.stakes):
        yield "the betting clock does not run with the first stake"


def _hands(table: Table, play: Play) -> Iterator[str]:
    if not table.playing:
        return
    if table.phase not in DEALT and (table.hands or play.holders or play.said or play.covered):
        yield f"hands are out in phase {table.phase}"
    for pano, seat in play.holders.items():
        if pano not in PANOS or (seat and seat not in table.seats):
            yield f"{seat} holds the hand of {pano}"
    yield from _left_the_shoe(table)
    hands = {*play.holders, BANK}
    if not hands >= table.hands.keys() or not hands >= play.said.keys():
        yield "a hand is out that is not in the coup"
    if table.phase in DEALT and {place(c.on, c.seat) for c in play.covered if c.covered} != {
        place(s.on, s.seat) for s in play.stakes.values()
    }:
        yield "the stakes in play are not the covered ones"
    if PUNTO in play.holders:
        yield from _fixed(table)
        return
    if table.phase in {*SPEAKING, "showdown"} and next_phase(table, play.said) != table.phase:
        yield f"{sorted(play.said)} have spoken in phase {table.phase}"
    if table.phase in {*SPEAKING, "showdown", "settling"}:
        for hand in hands:
            if len(table.hands.get(hand, ())) != (3 if play.said.get(hand) == "drew" else 2):
                yield f"{hand} has not as many cards as it took"


def _left_the_shoe(table: Table) -> Iterator[str]:
    if table.shoe and any(pos >= table.shoe.pos for lying in table.hands.values() for pos in lying):
        yield "a card is out that has not left the shoe"


def _fixed(table: Table) -> Iterator[str]:
    """Punto y banca: nobody speaks, and what the table of R-101 says is dealt is dealt at once."""
    if table.phase in SPEAKING:
        yield f"somebody speaks in phase {table.phase}"
    if table.phase in {"showdown", "settling"} and next_hand(open_values(table)):
        yield "a card is missing"


def _banco(table: Table, banco: Banco) -> Iterator[str]:
    if banco != Banco() and table.options["banco"] == "off":
        yield "banco is played where it is not offered"
    named = {*banco.passed, *(each.seat for each in banco.calls), banco.first} - {0}
    if banco.called:
        named.add(banco.called.seat)
    if not named <= table.seats.keys():
        yield "somebody has said banco who is not here"


def _seeking(table: Table, seeking: Seeking) -> Iterator[str]:
    if table.phase != "no_bank" and seeking != Seeking():
        yield f"a banker is looked for in phase {table.phase}"
    if seeking.mode not in {"", *STEPS} or seeking.step not in STEP_NAMES:
        yield f"step {seeking.step} of mode {seeking.mode}"
    named = {*seeking.awaited, *seeking.consented, *seeking.refused, *(each.seat for each in seeking.queue)}
    if not named <= table.seats.keys() or (seeking.candidate and seeking.candidate not in table.seats):
        yield "somebody is asked about the bank who is not here"
    if seeking.awaited & seeking.consented or (seeking.step == "consent" and not seeking.candidate):
        yield "the consent of the same seat is there and awaited, or for nobody"
