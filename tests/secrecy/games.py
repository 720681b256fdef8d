"""The games whose secrets are tried, each at several tables."""

from tests.secrecy import bacara, baciga
from tests.secrecy.trial import Maker, Sitting

TRIALS: tuple[Maker, ...] = (*bacara.TRIALS, *baciga.TRIALS)
SITTINGS: tuple[Sitting, ...] = (*bacara.SITTINGS,)
