"""The words of one language."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dealer.words.filling import choose, fit, grouped
from dealer.words.language import LANGUAGES, Pack, read

_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_STANDING_FROM = 1001
_WATCHING = range(101, 165)
"""Numbers of spectators who add to a cut (glossary, section 2)."""
_LEFT_FROM = 11
_MINUS = "\u2212"
_VOWELS = tuple("aeiou")


class Words:
    """What a door asks for when it has something to say in a language.

    An id that the language's file does not know comes back as it is: ugly, but never an error.

    Attributes:
        lang: code of the language.
        name: the language's own name for itself.

    Raises:
        ValueError: there is no such language.
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._told = read(lang)
        self.name = self._told.name

    def sentence(self, code: str, params: Mapping[str, Any] | None = None) -> str:
        """One sentence for a refusal or a problem of a door; a general one for an unknown code.

        Args:
            code: of the glossary, section 6, or of a door.
            params: its parameters. A `phase` is put into words. Whoever knows the table may put the label of
                a seat in place of its number. What is missing, or no number and no short id, stays unsaid.
        """
        told = self._told
        fitted = {name: fit(name, value, told.thousands) for name, value in (params or {}).items()}
        if "phase" in fitted:
            fitted["phase"] = told.phases.get(fitted["phase"], "")
        found = told.refusals.get(code, told.unknown)
        return choose((found,) if isinstance(found, str) else found, fitted)

    def phase(self, phase: str) -> str:
        """What a table is doing in a phase (glossary, section 3)."""
        return self._told.phases.get(phase, phase)

    def call(self, call: str) -> str:
        """One of the croupier's calls: `place_bets`, `last_call`, `no_more_bets` (R-22)."""
        return self._told.calls.get(call, call)

    def hand(self, hand: str) -> str:
        """A paño or the bank: `right`, `left`, `single`, `bank`."""
        return self._told.hands.get(hand, hand)

    def result(self, result: str) -> str:
        """How a paño ended: `bank`, `pano`, `push` (R-44)."""
        return self._told.results.get(result, result)

    def game(self, game: str) -> str:
        """Name of a game."""
        return self._told.games.get(game, game)

    def mode(self, mode: str) -> str:
        """Name of a mode of play."""
        return self._told.modes.get(mode, mode)

    def meld(self, meld: str) -> str:
        """Name of a combination."""
        return self._told.melds.get(meld, meld)

    def bank_ended(self, reason: str) -> str:
        """Why a bank is over, by the `reason` of `bank.ended`."""
        return self._told.bank_ended.get(reason, reason)

    def seat(self, seat: int, panos: int = 2) -> str:
        """The label of a seat: `D1`, `I1`, `P1`, on a table with one paño or of another game `J1`.

        All languages use the letters of the rule sheets, those painted on the cloth, so that two people
        who read different languages mean the same seat; a language that wants others says so in its file.

        Args:
            seat: the number on the wire (glossary, section 2); that of a spectator gives `E1`.
            panos: 2 for a table with two paños.
        """
        labels = self._told.labels
        if seat >= _STANDING_FROM:
            return labels["standing"].format(n=seat - _STANDING_FROM + 1)
        if seat in _WATCHING:
            return labels["watching"].format(n=seat - _WATCHING[0] + 1)
        if panos != 2:
            return labels["single"].format(n=seat)
        if seat >= _LEFT_FROM:
            return labels["left"].format(n=seat - _LEFT_FROM + 1)
        return labels["right"].format(n=seat)

    def bid(self, word: str) -> str:
        """A word of a bidding: `pass`, `contro`, ...; also the offer `butifarra`."""
        return self._told.bids.get(word, word)

    def rank(self, rank: str, deck: str = "fr52") -> str:
        """Name of a rank: `A`, `2` ... `9`, `T`, `J`, `Q`, `K`, or of a Spanish deck `1` ... `12`."""
        return self._pack(deck).ranks.get(rank, rank)

    def suit(self, suit: str, deck: str = "fr52") -> str:
        """Name of a suit: `C`, `D`, `H`, `S`, or of a Spanish deck `O`, `C`, `E`, `B`."""
        return self._pack(deck).suits.get(suit, suit)

    def card(self, face: str, deck: str = "fr52") -> str:
        """A face in words: `9H` is nine of hearts; which suit a `C` is follows from the kind of deck."""
        rank, suit, pack = self.rank(face[:-1], deck), self.suit(face[-1:], deck), self._pack(deck)
        elided = suit[:1] in _VOWELS and pack.card_before_vowel
        return (elided or pack.card).format(rank=rank, suit=suit)

    def _pack(self, deck: str) -> Pack:
        return self._told.es48 if deck.startswith("es") else self._told.fr52

    def symbol(self, face: str, deck: str = "fr52") -> str:
        """A face in short: `9H` is 9♥, `TD` is 10♦; Spanish suits have no sign and keep their letter."""
        if deck.startswith("es"):
            return face
        rank = face[:-1]
        return ("10" if rank == "T" else rank) + _SYMBOLS.get(face[-1:], face[-1:])

    def number(self, number: int) -> str:
        """A whole number as the language groups its digits."""
        return grouped(number, self._told.thousands)

    def change(self, number: int) -> str:
        """A gain or a loss, with its sign; 0 has none."""
        sign = "+" if number > 0 else _MINUS if number < 0 else ""
        return sign + self.number(abs(number))

    def line(self, key: str, **values: str) -> str:
        """One of the lines of a table that is being watched, with its values filled in.

        Raises:
            KeyError: there is no such line, or it asks for a value that is not given.
        """
        return self._told.table[key].format_map(values)


@lru_cache(maxsize=len(LANGUAGES))
def _words(lang: str) -> Words:
    return Words(lang)


def sentence(code: str, params: Mapping[str, Any] | None, lang: str) -> str:
    """One sentence for a code and its parameters in a language; see `Words.sentence`.

    Raises:
        ValueError: there is no such language.
    """
    return _words(lang).sentence(code, params)
