"""The one place where chance enters the system (fairness 3.4).

Everything unpredictable comes from the operating system through `random_bytes`; everything reproducible
comes from `simulation_seed`, which no table can reach.
"""

import hashlib
import secrets

from shoe.canonical import encode
from shoe.corte import SEED_BYTES

_FEWEST_ONES, _MOST_ONES = 60, 196  # of 256 bits; an honest source leaves this range once in some 10^18 draws


class EntropyBroken(Exception):
    """The operating system's generator is visibly not random: the service must not start or deal."""


def random_bytes(length: int) -> bytes:
    """Unpredictable bytes from the operating system."""
    return secrets.token_bytes(length)


def fresh_seeds(count: int) -> list[bytes]:
    """Independent 32-byte seeds, one for each shuffle to come.

    Raises:
        EntropyBroken: the generator is visibly not random.
    """
    check_entropy()
    return [random_bytes(SEED_BYTES) for _ in range(count)]


def check_entropy() -> None:
    """Draw twice and look at the draws; made at start-up and before each batch of seeds.

    Raises:
        EntropyBroken: the draws agree, or one has far too few or too many one-bits.
    """
    if not looks_random(random_bytes(SEED_BYTES), random_bytes(SEED_BYTES)):
        raise EntropyBroken("the operating system's random generator repeats itself or is stuck")


def looks_random(first: bytes, second: bytes) -> bool:
    """Whether two draws of 32 bytes differ and each has 60 to 196 one-bits."""
    return first != second and all(
        _FEWEST_ONES <= int.from_bytes(draw, "big").bit_count() <= _MOST_ONES for draw in (first, second)
    )


def simulation_seed(label: str, seed: int, n: int) -> bytes:
    """Reproducible seed number `n` of a simulation: SHA-256 of the canonical JSON `[label, seed, n]`.

    Raises:
        ValueError: the label or a number has no canonical form.
    """
    return hashlib.sha256(encode([label, seed, n])).digest()
