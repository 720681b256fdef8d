"""The bench itself: one subject, one Valkey, one load, one measurement."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from uuid import uuid4

import msgspec

from ops.bench.load import GRACE_SECONDS, LoadResult
from ops.bench.plan import Kind, encode_plan
from ops.bench.processes import START_SECONDS, BenchmarkError, Cores, spawn, stop
from ops.bench.store import valkey
from ops.bench.subject import Subject


class Measurement(msgspec.Struct, frozen=True, gc=False):
    """One subject under one load for one round. Only answers with a status of 2xx count as requests.

    Attributes:
        load_us: CPU time of the load generator a request.
        lost: Requests without a readable answer.
        others_cores: Cores kept busy by processes that are none of this measurement's; they make its rates
            and latencies doubtful, its CPU times hardly.
        p50_ms: Median time from request to answer.
        p99_ms: 99th percentile of it.
        rate: Requests a second.
        server_us: CPU time of the subject's processes a request.
        statuses: Number of answers by HTTP status.
        valkey_us: CPU time of Valkey a request.
    """

    load_us: float
    lost: int
    others_cores: float
    p50_ms: float
    p99_ms: float
    rate: float
    server_us: float
    statuses: dict[int, int]
    valkey_us: float

    @property
    def bad(self) -> int:
        """Number of requests that were lost or not answered with 2xx."""
        return self.lost + sum(number for status, number in self.statuses.items() if not 200 <= status < 300)


class Load(msgspec.Struct, frozen=True, gc=False):
    """How a subject is loaded.

    Attributes:
        connections: Keep-alive connections, each with one request out.
        kind: Which plan the subject is asked for.
        seconds: Length of the measured phase.
        warmup_seconds: Length of the load before it.
    """

    connections: int
    kind: Kind
    seconds: float
    warmup_seconds: float


async def measure(subject: Subject, load: Load, *, cores: Cores, parent: Path) -> Measurement:
    """Start everything afresh, load the subject, measure, and end everything.

    Args:
        subject: What is measured.
        load: How it is loaded.
        cores: Where the processes run.
        parent: Directory on a real disk in which Valkey's data lie meanwhile.

    Raises:
        BenchmarkError: Something did not start, or no request at all was answered with 2xx.
    """
    async with valkey(parent, cores.others) as store:
        try:
            started = await subject.start(store.socket, cores.server)
            plan = await subject.plan(load.kind)
            result = await generate(
                "ops.bench.load",
                encode_plan(plan),
                *("--connections", str(load.connections), *(["--once"] if subject.once else [])),
                *("--seconds", str(load.seconds), "--warmup-seconds", str(load.warmup_seconds)),
                port=started.port,
                core=cores.others,
                watch=(store.pid, *started.pids),
                limit=START_SECONDS + load.seconds + load.warmup_seconds + 2 * GRACE_SECONDS,
            )
        finally:
            await subject.stop()
    return figures(result, result.good)


async def generate(
    module: str, plan: bytes, *options: str, port: int, core: int | None, watch: Sequence[int], limit: float
) -> LoadResult:
    """Run a load generator as a process and read what it found.

    Args:
        module: The generator.
        plan: What it is to send.
        options: What it is told besides.
        port: Where the subject listens.
        core: Where it runs.
        watch: Processes whose CPU time it takes.
        limit: Seconds within which it must end.

    Raises:
        BenchmarkError: It failed or did not end.
    """
    with NamedTemporaryFile(suffix=".json") as file:
        file.write(plan)
        file.flush()
        process = await spawn(
            core,
            *(sys.executable, "-m", module, "--port", str(port), "--plan", file.name),
            *("--prefix", uuid4().hex[:8], *options),
            *(word for pid in watch for word in ("--watch", str(pid))),
            stdout=PIPE,
            stderr=PIPE,
        )
        try:
            out, errors = await asyncio.wait_for(process.communicate(), limit)
        except TimeoutError:
            raise BenchmarkError("the load generator did not end in time") from None
        finally:
            await stop(process)
    if process.returncode != 0:
        raise BenchmarkError(f"the load generator failed: {errors.decode(errors='replace')}")
    return msgspec.json.decode(out, type=LoadResult)


def figures(result: LoadResult, good: int) -> Measurement:
    """Turn counts and times of a phase into figures a piece.

    Args:
        result: What the generator found; the first process it watched is Valkey.
        good: How many pieces were done.

    Raises:
        BenchmarkError: None was.
    """
    if not good:
        raise BenchmarkError(f"no request succeeded; statuses {result.statuses}, lost {result.lost}")
    valkey_s, *server_s = result.watched_cpu_s
    others_s = result.busy_s - result.load_cpu_s - sum(result.watched_cpu_s)
    return Measurement(
        load_us=result.load_cpu_s / good * 1e6,
        lost=result.lost,
        others_cores=max(0.0, others_s / result.elapsed_s),
        p50_ms=result.p50_ms,
        p99_ms=result.p99_ms,
        rate=good / result.elapsed_s,
        server_us=sum(server_s) / good * 1e6,
        statuses=result.statuses,
        valkey_us=valkey_s / good * 1e6,
    )
