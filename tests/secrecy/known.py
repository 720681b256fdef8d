"""Everything of a table that is 32 bytes long and says something, by name: what is masked and what is sought.

Both worlds name the same things alike, so what remains of a text when its values have become names has to be
the same in both (fairness, decision 12).
"""

import re
from collections.abc import Mapping

from dealer.croupier.tables import TableDesk
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import SeedRevealed, SeedsCommitted, ShoeSealed
from shoe.corte import STACKED, commitment
from shoe.shoe import Shoe

_HEX32 = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_CODE = re.compile(rb'"([0-9A-Z]{1,2}[A-Z][1-9])"')
Nonce = tuple[int, int]
"""The shuffle and the position whose commitment it opens."""


class Known:
    """The seeds of a table and what follows from them.

    Attributes:
        names: by value, in hex.
        nonces: the values among them that open a card.
        seeds: those of all shuffles so far, by number.
        shoes: those that were sealed, by shuffle number.
        revealed: shuffles whose seed is public.
    """

    def __init__(self, desk: TableDesk, events: list[Event]) -> None:
        self.names: dict[bytes, bytes] = {}
        self.nonces: dict[bytes, Nonce] = {}
        self.shoes: dict[int, Shoe] = {}
        self.seeds = dict(desk.chance._seeds)
        revealed = {e.data.shuffle: e.data for e in events if isinstance(e.data, SeedRevealed)}
        self.revealed = set(revealed)
        self.seeds |= {number: bytes.fromhex(data.seed) for number, data in revealed.items()}
        committed: dict[int, str] = {}
        for event in events:
            data = event.data
            if isinstance(data, SeedsCommitted):
                committed |= dict(enumerate(data.commitments, data.first))
            elif isinstance(data, ShoeSealed):
                faces = desk.chance._faces if data.transcript.profile == STACKED else None
                self._take(Shoe(data.transcript, self.seeds[data.shuffle], faces))
        for number, seed in self.seeds.items():
            self._name(seed.hex(), f"seed {number}")
            self._name(commitment(desk.state.log, number, seed), f"commitment {number}")
        assert committed.keys() <= self.seeds.keys()
        assert all(value.encode() in self.names for value in committed.values())

    def _take(self, shoe: Shoe) -> None:
        number = shoe.transcript.shuffle
        self.shoes[number] = shoe
        self._name(shoe.transcript.hash(), f"transcript {number}")
        for pos in range(shoe.deck.size):
            nonce = shoe.nonce(pos)
            self._name(nonce, f"nonce {number}:{pos}")
            self.nonces[nonce.encode()] = number, pos
        for height, level in enumerate(shoe._tree):
            for place, node in enumerate(level):
                self._name(node.hex(), f"node {number}:{height}:{place}")
        self._name(shoe.root, f"root {number}")

    def _name(self, value: str, name: str) -> None:
        self.names[value.encode()] = name.encode()


def masked(text: bytes, names: Mapping[bytes, bytes]) -> bytes:
    """A text with names for values; whatever is not known stays."""
    return _HEX32.sub(lambda found: names.get(found[0], found[0]), text)


def values_in(text: bytes) -> set[bytes]:
    """Everything in a text that looks like 32 bytes in hex."""
    return set(_HEX32.findall(text))


def codes_in(text: bytes) -> set[str]:
    """Every card that a text names, as people read it."""
    return {code.decode() for code in _CODE.findall(text)}
