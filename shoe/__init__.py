"""Chance: cards, packs, the shuffle corte/1, the sealed shoe and the proof of a card."""
