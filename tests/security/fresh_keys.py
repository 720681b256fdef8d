"""A hook of schemathesis: each request has an idempotency key of its own, unless the key is what is wrong."""

from itertools import count
from typing import Any

import schemathesis

from dealer.http.answers import KEY_HEADER
from dealer.http.limits import is_idempotency_key

_fresh = count()


@schemathesis.hook
def before_call(
    context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, Any]
) -> None:
    """Give a request that has a good key a new one.

    Not if it has made up who sends it: its key will not be looked at, and what a hook has changed is judged
    anew by the schema alone, which cannot say that such a token is none.
    """
    headers: Any = case.headers
    given = headers.get(KEY_HEADER) if headers else None
    if not isinstance(given, str) or not is_idempotency_key(given):
        return
    if str(headers.get("Authorization", "")).startswith("Bearer "):
        headers[KEY_HEADER] = f"schemathesis-{next(_fresh)}"
