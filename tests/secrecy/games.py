"""The games whose secrets are tried, each at several tables."""

from tests.secrecy import bacara, baciga, butifarra
from tests.secrecy.trial import Maker, Sitting

TRIALS: tuple[Maker, ...] = (*bacara.TRIALS, *baciga.TRIALS, *butifarra.TRIALS)
SITTINGS: tuple[Sitting, ...] = (*bacara.SITTINGS, *butifarra.SITTINGS)
