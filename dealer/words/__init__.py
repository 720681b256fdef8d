"""What people read: sentences, calls, cards and labels, one file for each language.

The rooms behind speak in codes and parameters; a door puts them into words at the edge (design 8). Nothing
here decides anything.
"""

from dealer.words.language import LANGUAGES, Lang
from dealer.words.words import Words, sentence

__all__ = ["LANGUAGES", "Lang", "Words", "sentence"]
