"""The settings of the service: one field a flag, each also `CROUPIER_<NAME>` in the environment."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.http.limits import Bounds
from dealer.words import Lang
from ops.whole import whole

_USUAL = Bounds()
_MANY = whole(0, 1_000_000)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StoreSettings:
    """Where the store is, and what opens it.

    Attributes:
        data: directory of the embedded Valkey, its seal key and the demonstration's log.
        redis: URL of a server of your own instead of the embedded one.
        durability: `declared` if you answer yourself for the durability of that server.
        service_name: name of the installation in every log; fixed at the first start.
        seal_key: files with the keys that seal the seeds; the first is made if it is missing.
    """

    data: Path = Path("data")
    redis: str = ""
    durability: Literal["checked", "declared"] = "checked"
    service_name: str = ""
    seal_key: Annotated[tuple[Path, ...], Parameter(negative=())] = ()


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Settings(StoreSettings):
    """How one service process runs.

    Attributes:
        host: address to listen on.
        port: port to listen on; 0 takes any free one.
        workers: service processes behind the address; any of them serves any table.
        idempotency_ttl: how long an Idempotency-Key is answered the same, in seconds.
        sandbox: let tables be opened with cards laid by hand, for tests and training.
        connections: connections at most, of each process; 0 for any number, as in all that follow.
        address_connections: those of one address, this machine excepted.
        address_rate: requests a second of one address, this machine excepted.
        key_rate: requests a second with one player's or auditor's key.
        host_rate: requests a second with one host's key.
        table_rate: commands of players a second at one table.
        log_level: the least that is logged.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, whole(0, 65535)] = 8080
    workers: Annotated[int, whole(1, 64)] = 1
    idempotency_ttl: Annotated[int, whole(60, 2_592_000)] = 86_400
    sandbox: Annotated[bool, Parameter(negative=())] = False
    connections: Annotated[int, _MANY] = _USUAL.connections
    address_connections: Annotated[int, _MANY] = _USUAL.address_connections
    address_rate: Annotated[int, _MANY] = _USUAL.address_rate
    key_rate: Annotated[int, _MANY] = _USUAL.key_rate
    host_rate: Annotated[int, _MANY] = _USUAL.host_rate
    table_rate: Annotated[int, _MANY] = _USUAL.table_rate
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def bounds(self) -> Bounds:
        """What the doors hold their callers to."""
        return Bounds(
            address_connections=self.address_connections,
            address_rate=self.address_rate,
            connections=self.connections,
            host_rate=self.host_rate,
            key_rate=self.key_rate,
            table_rate=self.table_rate,
        )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ServeSettings(Settings):
    """Everything that `croupier serve` is told.

    Attributes:
        demo: also run a demonstration table of bots and tell its coups on the terminal.
        lang: language of the demonstration.
        pace: how many times faster than usual the demonstration plays; its first start decides.
    """

    demo: Annotated[bool, Parameter(negative=())] = False
    lang: Lang = "es"
    pace: Annotated[float, Parameter(validator=Number(gte=0.1, lte=100))] = 1.0
