"""The house's bots at a báciga table: they keep what can become a combination, and count trumps at the end.

Every card is weighed: what it may still help to declare, against what the trick is worth and whether it wins.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dealer.rules.baciga import commands as cmd
from dealer.rules.baciga import melds
from dealer.rules.baciga.cards import ANY, BRISCA, PACK, face, packs, played
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Option
from dealer.rules.tricks import commands as tricks
from dealer.rules.tricks import seats, trick

_FIRST_TRICK = 30.0
"""What a side's first trick is worth: without one it may declare nothing (8.2)."""
_WINNER_DECLARES = 12.0
"""What any trick is worth where only its winner declares."""
_LIKELY = {"any": 0.5, "trump": 0.3, "plain": 0.25, "baciga": 0.3}
"""How likely one missing card of a combination is to come, by what it has to be; a guess that plays well."""
_LATER = {"A": 0.5, "T": 0.35}
_LATER_TRUMP = 0.9
"""How likely an ace or a ten ends in its owner's tricks if it is kept."""
_RANKS_AHEAD = 7
_LONG = 8
"""With so many tricks to come a combination is as likely as it gets."""


class _Seen(msgspec.Struct, frozen=True):
    """What a bot knows.

    Attributes:
        own: its physical cards.
        spent: of each combination's name, those that may not serve for it any more.
        trick: what lies there, the card led first.
        mate: the partner is ahead in it.
        rivals: how many still play to it who are not of its side.
        foreign: trumps that others may hold.
        left: tricks to come before the stock is empty; 0 in the last tricks.
    """

    view: Mapping[str, Any]
    own: tuple[int, ...]
    spent: Mapping[str, frozenset[int]]
    trick: tuple[int, ...]
    mate: bool
    rivals: int
    foreign: int
    left: int

    @property
    def trump(self) -> str:
        """Suit of trumps."""
        suit: str = self.view["trump"]
        return suit


def steady(
    view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]], options: Sequence[Option]
) -> Command | None:
    """Declares whatever it can, keeps what may become more, and takes tricks that are worth it.

    It never concedes unasked.
    """
    for option in options:
        if option.type == "exchange_seven":
            return cmd.ExchangeSeven()
        if option.type == "show_seven":
            return cmd.ShowSeven(card=option.fields["card"])
    declared = _declared(view, [option for option in options if option.type == "declare"])
    if declared is not None:
        return declared
    if any(option.type == "draw_stock" for option in options):
        return cmd.DrawStock()
    legal = [ANY.parse(option.fields["card"]) for option in options if option.type == "play"]
    if not legal:
        return None
    seen = _look(view, hand)
    best = max(legal, key=lambda card: (_worth(seen, card), -played(card).strength, -card))
    return tricks.Play(card=ANY.code(best))


def _declared(view: Mapping[str, Any], found: Sequence[Option]) -> Command | None:
    """The dearest combination; where classes bar the smaller one afterwards, that one first (12.6)."""
    if not found:
        return None
    chosen = max(found, key=lambda option: option.points or 0)
    if view["options"]["reuse"] == "by_class" and view["stock"] > 2 * view["options"]["players"]:
        group = melds.MELDS[chosen.fields["meld"]].group
        parts = [
            option
            for option in found
            if melds.MELDS[option.fields["meld"]].group == group
            and set(option.fields["cards"]) < set(chosen.fields["cards"])
        ]
        chosen = min(parts, key=lambda option: option.points or 0, default=chosen)
    return cmd.Declare(meld=chosen.fields["meld"], cards=tuple(chosen.fields["cards"]))


def _look(view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]]) -> _Seen:
    """What the bot on turn can tell from its cards and the table."""
    options, seat = view["options"], view["turn"]
    number = options["players"]
    own = tuple(card["card"] for card in hand)
    lying = tuple(ANY.parse(code) for code in view["hands"].get("trick", ()))
    scored = [
        melds.Scored(tuple(ANY.parse(code) for code in each["cards"]), each["meld"], seat)
        for each in view["melds"]
        if each["seat"] == seat
    ]
    mine = melds.Owned(own, (), scored)
    spent = {
        name: frozenset(melds.spent(options, meld, mine)) for name, meld in melds.offered(options).items()
    }
    side = seats.side_of(seat, number)
    mate = False
    if lying:
        ahead = trick.winner([played(card) for card in lying], view["trump"])
        mate = seats.side_of(seats.from_seat(view["leader"], number)[ahead], number) == side
    to_come = seats.from_seat(view["leader"], number)[len(lying) + 1 :]
    trumps = [card for card in (*own, *lying) if face(card)[1] == view["trump"]]
    return _Seen(
        view=view,
        own=own,
        spent=spent,
        trick=lying,
        mate=mate,
        rivals=sum(seats.side_of(each, number) != side for each in to_come),
        foreign=PACK // 4 * packs(options) - view["trumps_played"] - len(trumps),
        left=0 if view["phase"] == "last_tricks" else view["stock"] // number,
    )


def _worth(seen: _Seen, card: int) -> float:
    """What it is worth to play a card now."""
    view = seen.view
    at_stake = BRISCA * sum(face(each)[0] in "AT" for each in (*seen.trick, card))
    prize = float(at_stake)
    if seen.left:
        side = seats.side_of(view["turn"], view["options"]["players"])
        prize += 0 if view["tricks"][side - 1] else _FIRST_TRICK
        prize += _WINNER_DECLARES if view["options"]["declare_when"] == "trick_winner" else 0
    chance = _chance(seen, card)
    return chance * prize - (1 - chance) * at_stake - _kept(seen, card)


def _chance(seen: _Seen, card: int) -> float:
    """How likely the bot's side takes this trick if it plays the card."""
    mine = played(card)
    if seen.trick:
        best = played(seen.trick[trick.winner([played(each) for each in seen.trick], seen.trump)])
        if not trick.wins(mine, best, seen.trump):
            if not seen.mate:
                return 0.0
            mine = best
    if not seen.rivals:
        return 1.0
    holds = ((mine.strength + 1) / (_RANKS_AHEAD + 1)) ** 2
    if mine.suit == seen.trump:
        alone = 0.5 + 0.5 * holds if seen.foreign else 1.0
    else:
        alone = holds * (0.6 if seen.foreign else 0.95)
    return float(alone**seen.rivals)


def _kept(seen: _Seen, card: int) -> float:
    """What the bot gives up with a card: what it could become, and its strength in the last tricks."""
    suit, strength = played(card)
    power = strength * (0.6 if suit == seen.trump else 0.3) + (6.0 if suit == seen.trump else 0.0)
    later = _LATER.get(face(card)[0], 0.0)
    saved = BRISCA * (_LATER_TRUMP if later and suit == seen.trump else later)
    if not seen.left:
        return power * (0.5 if seen.foreign else 0.2) + saved
    ready = min(1.0, seen.left / _LONG)
    hopes = (
        _hope(seen, meld, card, ready)
        for meld in melds.offered(seen.view["options"]).values()
        if face(card)[0] in meld.ranks and card not in seen.spent[meld.name]
    )
    return power + saved + sum(hopes)


def _hope(seen: _Seen, meld: melds.Meld, card: int, ready: float) -> float:
    """What a card adds to the hope of one combination."""
    suit = face(card)[1]
    if (meld.suits == "trump" and suit != seen.trump) or (meld.suits == "plain" and suit == seen.trump):
        return 0.0
    if meld.suits == "baciga" and face(card) not in {"QS", "JD"}:
        return 0.0
    free = [face(each) for each in seen.own if each not in seen.spent[meld.name]]
    missing, needless = 0, False
    for rank in set(meld.ranks):
        if meld.suits == "baciga":
            have = free.count("QS" if rank == "Q" else "JD")
        elif meld.suits == "any":
            have = sum(each[0] == rank for each in free)
        else:
            have = free.count(rank + suit)
        need = meld.ranks.count(rank)
        missing += max(0, need - have)
        needless = needless or (rank == face(card)[0] and have > need)
    hope = meld.points * (_LIKELY[meld.suits] * ready) ** missing
    return hope * 0.3 if needless else hope


POLICIES = {"steady": steady}
"""By the name a host gives in `seat_bot`."""
