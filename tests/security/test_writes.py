"""There is one way to change anything: an event in a log (fairness S-16, S-24)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dealer
import ops
import shoe

WRITES = {
    *(
        "append",
        "bitop",
        "copy",
        "delete",
        "eval",
        "evalsha",
        "execute_command",
        "expire",
        "fcall",
        "flushall",
    ),
    *("flushdb", "function_load", "getdel", "getset", "hdel", "hincrby", "hmset", "hset", "hsetnx", "incr"),
    *(
        "lpush",
        "mset",
        "publish",
        "restore",
        "rpush",
        "sadd",
        "setex",
        "setnx",
        "srem",
        "unlink",
        "xadd",
        "xdel",
    ),
    *("xtrim", "zadd", "zrem", "zremrangebyscore", "config_set"),
}
"""Commands of a client, by their names in redis-py, that change what is stored."""
CLIENTS = re.compile(r"\b(?:redis|pipe|pipeline|client|_redis|journal|_journal|link|_link)$")
"""What a store is called here, and the journal on it."""
READS = {
    *(
        "GET",
        "HGET",
        "HGETALL",
        "TIME",
        "XLEN",
        "XRANGE",
        "XREAD",
        "XREVRANGE",
        "ZCARD",
        "ZRANGE",
        "ZRANGEBYLEX",
    ),
    *("ZRANGEBYSCORE", "ZSCORE"),
}
ALLOWED = {
    ("dealer/croupier/desk.py", "append"): "the event function: commands decided, at a version",
    ("dealer/http/keyring.py", "hset"): "a key is made, by whoever has the store's own files",
    ("dealer/http/keyring.py", "hdel"): "a key is revoked, likewise",
    ("ops/valkey/marker.py", "hsetnx"): "an installation is named, once",
    ("ops/valkey/store.py", "hsetnx"): "and which seal key it has, once",
}
"""Who may change what is stored, and what it is."""
PACKAGES = [Path(str(package.__file__)).parent for package in (dealer, ops, shoe)]


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module that a service runs; the benchmark has a store of its own."""
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            name = path.relative_to(package.parent).as_posix()
            if not name.startswith("ops/bench/"):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def calls(tree: ast.Module) -> Iterator[tuple[str, str, ast.Call]]:
    """Every call of a method: on what, which, and the call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield ast.unparse(node.func.value), node.func.attr, node


def test_nothing_else_writes() -> None:
    """S-24: state changes by appending events, in one place; beside it are keys and the store's name."""
    found = {
        (name, method)
        for name, tree in modules()
        for owner, method, _ in calls(tree)
        if method in WRITES and CLIENTS.search(owner)
    }
    assert found == set(ALLOWED)


def test_the_journal_asks_only_what_it_may() -> None:
    """S-16, S-24: what goes to the store as bytes are reads by name, and the functions of the library."""
    named, made = set(), set()
    for _, tree in modules():
        for owner, method, call in calls(tree):
            if method in {"ask", "send"} and owner.endswith("link") and call.args:
                first = call.args[method == "send"]
                if isinstance(first, ast.Constant):
                    named.add(first.value)
                else:
                    made.add(ast.unparse(first))
    assert {"GET", "XRANGE"} <= named <= READS
    assert {text.partition("(")[0] for text in made} == {
        "*command",
        "*wire.claim_command",
        "*wire.snap_command",
    }


def test_one_line_of_the_library_appends() -> None:
    """S-24: the engine's side adds to a log in one place too, after it has compared the version."""
    text = (PACKAGES[0] / "journal" / "journal.lua").read_text(encoding="utf-8")
    assert len(re.findall(r"'XADD', stream,", text)) == 1
    assert 0 < text.index("if last ~= expected then return") < text.index("'XADD', stream,")
