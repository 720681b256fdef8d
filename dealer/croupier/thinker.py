"""The program of the process in which deep bots think: `python -m dealer.croupier.thinker`.

Questions come on its standard input and answers go out on its standard output, each as its length and then
msgpack. It ends when its input does, and that is so as soon as whoever asks is gone, however that came about.
"""

import os
import sys
from contextlib import suppress
from typing import IO, Any

import msgspec

from dealer.rules.frame.game import Option
from dealer.rules.registry import GAMES

LENGTH_BYTES = 4
_NICE = 5
"""The service goes first where they share a processor: it answers people."""


class Question(msgspec.Struct, frozen=True):
    """A bot's turn: which bot, and what it sees and may do."""

    game: str
    policy: str
    view: dict[str, Any]
    hand: list[dict[str, Any]]
    options: list[Option]


class Thought(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of it: the command with its type, or nothing; `trouble` names what went wrong instead."""

    command: dict[str, Any] | None = None
    trouble: str = ""


def framed(message: Question | Thought) -> bytes:
    """A message as it goes through the pipe."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def main(questions: IO[bytes], thoughts: IO[bytes]) -> None:
    """Answer until nothing more is asked; what is written has to go out at once."""
    decoder = msgspec.msgpack.Decoder(Question)
    while length := questions.read(LENGTH_BYTES):
        asked = decoder.decode(questions.read(int.from_bytes(length, "big")))
        thoughts.write(framed(_thought(asked)))


def _thought(asked: Question) -> Thought:
    try:
        policy = GAMES[asked.game].policies[asked.policy]
        command = policy(asked.view, asked.hand, asked.options)
    except Exception as trouble:  # noqa: BLE001 - whoever asked is told; without the text, which may hold cards
        return Thought(trouble=type(trouble).__name__)
    return Thought(None if command is None else msgspec.to_builtins(command))


if __name__ == "__main__":
    os.nice(_NICE)
    with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as out, suppress(BrokenPipeError):
        main(sys.stdin.buffer, out)
