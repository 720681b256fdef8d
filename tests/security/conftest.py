"""Services as processes of their own, and none left behind."""

from tests.ops.conftest import _no_server_left, serve

__all__ = ["_no_server_left", "serve"]
