"""A person at the table: looks, asks what he may do, and does what he is in the mood for."""

import asyncio
import secrets
from typing import Any

from aiohttp import ClientSession

from shoe.corte import contribution_commit
from tests.evening.caller import Caller
from tests.ops.processes import Service

LOOK_S = 0.03
"""How long a person waits before he looks again."""
BID_STEP = 100


class Guest(Caller):
    """One of the four.

    Attributes:
        wants: what he would like to do as soon as he may, with the amount if there is one. Who does not want
            a banco says that he passes.
        stakes: whether he stakes.
        gone: his telephone is dead, from the next time on that he would look.
        silent: he does not say a word when he is asked.
        shut: he commits himself to a cut, and does not reveal.
    """

    def __init__(self, name: str, token: str, seat: int, service: Service, session: ClientSession) -> None:
        super().__init__(name, token, service, session)
        self.seat = seat
        self.wants: dict[str, int] = {}
        self.stakes = True
        self.gone = False
        self.silent = False
        self.shut = False
        self._secrets: dict[int, tuple[int, str]] = {}

    async def play(self, table: str, log: str) -> None:
        """Sit at the table until cancelled."""
        while not self.gone:
            view, page = await self.see(table), await self.see(f"{table}/options")
            if view["seq"] != page["seq"]:
                continue
            offered = {option["type"]: option for option in reversed(page["options"])}
            move = self._cut(view["cut"], offered, log) or self._bank(view, offered)
            move = move or self._banco(offered) or self._speak(offered) or self._stake(view, page["options"])
            if move is None:
                await asyncio.sleep(LOOK_S)
                continue
            status, _ = await self.say(f"{table}/commands", move)
            if status == 200 and move["type"] in {"end_bank", "cash_out"}:
                del self.wants[move["type"]]

    def _cut(self, cut: Any, offered: dict[str, Any], log: str) -> Any:
        if "cut_commit" in offered:
            shuffle = cut["shuffle"]
            place, drawn = 1 + secrets.randbelow(cut["size"] - 1), secrets.token_hex(32)
            self._secrets[shuffle] = (place, drawn)
            commit = contribution_commit(log, shuffle, cut["commitment"], self.seat, place, drawn)
            return {"type": "cut_commit", "commit": commit, "decision": cut["decision"]}
        if "cut_reveal" in offered and not self.shut:
            place, drawn = self._secrets[cut["shuffle"]]
            return {"type": "cut_reveal", "cut": place, "reveal": drawn, "decision": cut["decision"]}
        return None

    def _bank(self, view: Any, offered: dict[str, Any]) -> Any:
        """He always consents, and does not outbid himself."""
        if "consent" in offered:
            return {"type": "consent", "yes": True, "decision": offered["consent"]["decision"]}
        if view["seeking"]["queue"] and view["seeking"]["queue"][-1]["seat"] == self.seat:
            return None
        for kind in (self.wants.keys() & offered.keys()) - {"banco"}:
            limit = self.wants[kind]
            if kind in {"end_bank", "enter_lot", "cash_out"}:
                return {"type": kind}
            if offered[kind]["min"] <= limit:
                step = BID_STEP if kind == "bid_bank" else limit
                return {"type": kind, "amount": min(limit, offered[kind]["min"] + step)}
        return None

    def _banco(self, offered: dict[str, Any]) -> Any:
        if "pass_banco" not in offered:
            return None
        word = "banco" if "banco" in self.wants.keys() & offered.keys() else "pass_banco"
        return {"type": word, "decision": offered["pass_banco"]["decision"]}

    def _speak(self, offered: dict[str, Any]) -> Any:
        for word in ("draw", "stand"):
            if word in offered and not self.silent:
                return {"type": word, "decision": offered[word]["decision"]}
        return None

    def _stake(self, view: Any, options: list[Any]) -> Any:
        lies = any(stake["seat"] == self.seat for stake in view["stakes"])
        own = next((each for each in options if each["type"] == "stake"), None)
        if lies or own is None or not self.stakes:
            return None
        amount = min(own["max"], 5 + 5 * (view["round"] % 3))
        return {"type": "stake", "on": own["fields"]["on"], "amount": amount}
