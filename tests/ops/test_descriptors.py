"""Connections are open files, and there may be fewer of those than were asked for (fairness S-7)."""

import resource

import pytest
from structlog.testing import capture_logs

from dealer.http.limits import Bounds
from ops import service

ENDLESS = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("limits", "asked", "raised", "given", "warned"),
    [
        ((1024, 20_000), 10_000, 10_256, 10_000, False),
        ((20_000, 20_000), 10_000, None, 10_000, False),
        ((256, ENDLESS), 10_000, 10_256, 10_000, False),
        ((1024, 4096), 10_000, 4096, 3840, True),
        ((100, 100), 10_000, None, 1, True),
        ((1024, 4096), 0, 4096, 3840, False),
        ((1024, ENDLESS), 0, None, 0, False),
    ],
)
def test_no_more_connections_than_files(
    monkeypatch: pytest.MonkeyPatch,
    limits: tuple[int, int],
    asked: int,
    raised: int | None,
    given: int,
    warned: bool,
) -> None:
    """S-7: the bound on connections is one that can be met; one lower than asked for is warned of."""
    made: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: made.append(both))
    with capture_logs() as logged:
        bounds = service._possible(Bounds(connections=asked))
    assert made == ([] if raised is None else [(raised, limits[1])])
    assert bounds == Bounds(connections=given)
    assert [(line["event"], line["count"]) for line in logged] == [("connections_fewer", given)] * warned
