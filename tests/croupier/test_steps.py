"""Steps of many desks: in their order, each kind together, and none lost (design 9)."""

import asyncio
from functools import partial

from dealer.croupier.steps import Steps


async def _turn() -> None:
    """Let the loop turn, and once more for what was put off."""
    for _ in range(2):
        await asyncio.sleep(0)


async def test_all_decide_and_then_all_append() -> None:
    """What follows from a step waits for the first steps of the others, and for no further turn."""
    steps, done = Steps(), list[str]()

    def decide(name: str) -> None:
        done.append(f"decide {name}")
        steps.then(partial(done.append, f"append {name}"))

    for name in "ab":
        steps.soon(partial(decide, name))
    assert done == []
    await asyncio.sleep(0)
    assert done == ["decide a", "decide b", "append a", "append b"]
    decide("alone")
    assert done[4:] == ["decide alone", "append alone"]


async def test_a_step_that_raises_holds_up_nobody() -> None:
    """S-30: it is reported, and the steps of the others are done in the next turn."""
    steps, done, reported = Steps(), list[str](), list[str]()
    asyncio.get_running_loop().set_exception_handler(lambda _, of: reported.append(repr(of["exception"])))

    def broken() -> None:
        raise ValueError("broken")

    def whole() -> None:
        done.append("first")
        steps.then(broken)
        steps.then(partial(done.append, "second"))

    for step in (broken, whole):
        steps.soon(step)
    await _turn()
    assert done == ["first"]
    await _turn()
    assert done == ["first", "second"]
    assert reported == ["ValueError('broken')"] * 2
    steps.soon(partial(done.append, "later"))
    await _turn()
    assert done[2:] == ["later"]
