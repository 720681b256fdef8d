"""A client that believes nothing: every answer is held against the description of the API."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import msgspec
from aiohttp import ClientSession
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from multidict import CIMultiDict

Answer = tuple[int, Any]


class Contract:
    """The description of the API, as whoever programs against it reads it."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def check(self, method: str, path: str, status: int, media: str, body: Any) -> None:
        """Fail if an answer is none that the description foretells."""
        template = self._template(path)
        if template is None or method.lower() not in self.document["paths"][template]:
            assert status in {404, 405, 429}, f"{method} {path} has no row and answers {status}"
            return
        responses = self.document["paths"][template][method.lower()]["responses"]
        assert str(status) in responses, f"{method} {template} answers {status}, which is not described"
        content = responses[str(status)]["content"]
        assert media in content, f"{method} {template} answers {media}"
        schema = {**content[media]["schema"], "components": self.document["components"]}
        problems = [error.message for error in Draft202012Validator(schema).iter_errors(body)]
        assert not problems, f"{method} {template}: {problems}"

    def _template(self, path: str) -> str | None:
        parts = path.split("/")
        best = [
            template
            for template in self.document["paths"]
            if len(parts) == len(template.split("/"))
            and all(
                a == b or (b.startswith("{") and a) for a, b in zip(parts, template.split("/"), strict=True)
            )
        ]
        return min(best, key=lambda template: template.count("{"), default=None)


class Client:
    """Somebody with a key, or without one.

    Args:
        token: the API key; empty for none.

    Attributes:
        heard: every body that ever came.
        headers: those of the last answer.
    """

    def __init__(self, session: ClientSession, contract: Contract, token: str = "") -> None:
        self._session = session
        self._contract = contract
        self._token = token
        self._keys = count(1)
        self.heard: list[bytes] = []
        self.headers: Mapping[str, str] = {}

    async def send(
        self,
        method: str,
        path: str,
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request as it stands and check what comes back."""
        given = CIMultiDict({"Authorization": f"Bearer {self._token}"} if self._token else {})
        given.update(headers or {})
        async with self._session.request(method, path, data=raw, headers=given) as response:
            stored = await response.read()
            self.heard.append(stored)
            self.headers = response.headers
            status, media = response.status, response.content_type
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["Cache-Control"] == "no-store"
            assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
            assert not [name for name in response.headers if name.startswith("Access-Control")]
            assert status != 500, stored
        if method == "HEAD":
            return status, None
        if status >= 400:
            assert media == "application/problem+json", (status, media, stored)
        body: Any = msgspec.json.decode(stored) if media.endswith("json") else stored.decode()
        self._contract.check(method, path.partition("?")[0], status, media, body)
        if status >= 400:
            assert body["status"] == status
            assert body["type"] == f"urn:croupier:problem:{body['code']}"
            assert body["detail"]
        return status, body

    async def get(self, path: str, **headers: str) -> Answer:
        """Ask for something."""
        return await self.send("GET", path, headers=headers)

    async def post(self, path: str, body: Any, key: str | None = None) -> Answer:
        """Change something, under a fresh key unless one is given."""
        raw = body if isinstance(body, bytes) else msgspec.json.encode(body)
        return await self.send("POST", path, raw, {"Idempotency-Key": key or f"k:{next(self._keys)}"})

    async def made(self, path: str, body: Any) -> Any:
        """Change something that must be taken."""
        status, answer = await self.post(path, body)
        assert status in {200, 201}, answer
        return answer

    async def seen(self, path: str) -> Any:
        """Ask for something that must be there."""
        status, answer = await self.get(path)
        assert status == 200, answer
        return answer

    async def refused(self, path: str, body: Any, key: str | None = None) -> str:
        """The code with which a change is refused."""
        status, problem = await self.post(path, body, key)
        assert status >= 400, problem
        code: str = problem["code"]
        return code
