"""Where chance comes from (fairness 3.4)."""

import ast
import hashlib
import itertools
import multiprocessing
import secrets
from pathlib import Path

import pytest

import shoe
from shoe.entropy import EntropyBroken, check_entropy, fresh_seeds, looks_random, simulation_seed

OTHER = b"\x0f" * 32


def _ones(count: int) -> bytes:
    return ((1 << count) - 1).to_bytes(32, "big")


def test_seeds_are_distinct_and_of_full_length() -> None:
    """Fairness 1.4, step 1: 32 bytes each, one for each shuffle."""
    batch = fresh_seeds(32)
    assert len(set(batch)) == 32
    assert {len(seed) for seed in batch} == {32}
    assert fresh_seeds(0) == []


def test_two_forked_workers_never_share_a_seed() -> None:
    """Fairness 3.4: after a fork the draws go on apart; 10,000 seeds, no repeat."""
    with multiprocessing.get_context("fork").Pool(2) as workers:
        batches = workers.map(fresh_seeds, [2500] * 4, chunksize=1)
    assert len(set(itertools.chain(*batches))) == 10_000


@pytest.mark.parametrize(
    ("ones", "fine"),
    [(0, False), (59, False), (60, True), (128, True), (196, True), (197, False), (256, False)],
)
def test_a_draw_needs_a_plausible_number_of_one_bits(ones: int, *, fine: bool) -> None:
    """Fairness 3.4: fewer than 60 or more than 196 one-bits in 256, in either draw, are refused."""
    assert looks_random(_ones(ones), OTHER) is fine
    assert looks_random(OTHER, _ones(ones)) is fine


def test_two_equal_draws_are_refused() -> None:
    """Fairness 3.4: a generator that repeats itself is none."""
    assert not looks_random(OTHER, OTHER)


def test_a_broken_generator_stops_the_start_and_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fairness 3.4: refuse to start, and make no seed, when two draws agree."""
    check_entropy()
    monkeypatch.setattr(secrets, "token_bytes", lambda length: OTHER[:length])
    with pytest.raises(EntropyBroken):
        check_entropy()
    with pytest.raises(EntropyBroken):
        fresh_seeds(1)


def test_a_simulation_is_reproducible_by_anyone() -> None:
    """Design 6: SHA-256 of label, seed and number, in a form an outsider can write down."""
    assert simulation_seed("bacara", 7, 1) == hashlib.sha256(b'["bacara",7,1]').digest()


def test_no_two_simulations_share_a_seed() -> None:
    """Design 6: the encoding is unambiguous, however label and numbers run together."""
    cases = itertools.product(("", "a", "a1", "a,1", '"', "1"), (1, 11, 111), (1, 11, 111))
    assert len({simulation_seed(*case) for case in cases}) == 6 * 3 * 3


def test_only_the_entropy_module_draws() -> None:
    """Design 2 and S-32: no clock, no `random`, no `os` in the shoe, and one importer of `secrets`."""
    banned = {"os", "time", "random", "datetime", "asyncio", "uuid", "redis", "aiohttp", "dealer", "ops"}
    drawing = set()
    for source in Path(shoe.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            roots = {name.split(".")[0] for name in names}
            assert not roots & banned, source.name
            if "secrets" in roots:
                drawing.add(source.name)
    assert drawing == {"entropy.py"}
