"""How a bank is got, held, shared and left (glossary, section 5: bank)."""

from dealer.rules.frame.event import Data


class BankSought(Data, frozen=True, gc=False, kw_only=True):
    """A banker is looked for by `mode`; by none any more if it is empty, since nobody was found (R-54)."""

    TYPE = "bank.sought"
    by: str = ""
    mode: str
    source: str


class BankOffered(Data, frozen=True, gc=False, kw_only=True):
    """A seat offers to bank with `amount`; those before it are asked for their consent first (R-51).

    Where the bank goes round, or is continued, it is offered to the seat: for just this amount, or, with 0,
    for one that the seat names (R-59, R-63 to R-67).
    """

    TYPE = "bank.offered"
    amount: int
    by: str = ""
    seat: int
    source: str


class BankConsented(Data, frozen=True, gc=False, kw_only=True):
    """A seat consents to the candidate (R-51)."""

    TYPE = "bank.consented"
    by: str = ""
    candidate: int
    seat: int
    source: str


class BankRefused(Data, frozen=True, gc=False, kw_only=True):
    """A seat does not consent, or has not answered: the candidate does not bank (R-51, A-24)."""

    TYPE = "bank.refused"
    by: str = ""
    candidate: int
    seat: int
    source: str


class BankBid(Data, frozen=True, gc=False, kw_only=True):
    """A seat bids `amount`, more than anybody before (R-52)."""

    TYPE = "bank.bid"
    amount: int
    by: str = ""
    seat: int
    source: str


class BankEntered(Data, frozen=True, gc=False, kw_only=True):
    """A seat takes part in the lot for the bank (R-53)."""

    TYPE = "bank.entered"
    by: str = ""
    seat: int
    source: str


class BankDeclined(Data, frozen=True, gc=False, kw_only=True):
    """A seat does not take the bank: offered to it, or offered by it with chips it no longer has."""

    TYPE = "bank.declined"
    by: str = ""
    seat: int
    source: str


class BankConstituted(Data, frozen=True, gc=False, kw_only=True):
    """A bank stands: `amount` chips behind `banker` (a seat, 0 for the house), got by `mode` (R-50 ff.).

    It has a `source` where it is somebody's word, and not what follows from others'.
    """

    TYPE = "bank.constituted"
    amount: int
    banker: int
    by: str = ""
    mode: str
    source: str = ""


class SeatsExchanged(Data, frozen=True, gc=False):
    """Whoever goes on with a retired bank and its banker change places; their chips follow (R-59)."""

    TYPE = "seats.exchanged"
    seats: tuple[int, int]


class BankEnded(Data, frozen=True, gc=False, kw_only=True):
    """The bank is over; what was left goes back to its owner (R-57, R-58)."""

    TYPE = "bank.ended"
    amount: int
    banker: int
    by: str = ""
    reason: str
    source: str = ""


class BankReplenished(Data, frozen=True, gc=False, kw_only=True):
    """The banker of a bank that has *saltado* goes on with a new deposit (R-58); seat 0: the house adds."""

    TYPE = "bank.replenished"
    amount: int
    by: str = ""
    seat: int
    source: str


class NewShoeRequested(Data, frozen=True, gc=False, kw_only=True):
    """The banker who has replenished his bank asks for a new shoe (R-58)."""

    TYPE = "shoe.requested"
    by: str = ""
    seat: int
    source: str


class GarageSetAside(Data, frozen=True, gc=False, kw_only=True):
    """The banker excludes `amount` of his gains from play; `total` is aside now (R-74)."""

    TYPE = "garage.set_aside"
    amount: int
    by: str = ""
    seat: int
    source: str
    total: int


class GarageReturned(Data, frozen=True, gc=False):
    """The bank is over, and what was aside is its banker's again (R-74)."""

    TYPE = "garage.returned"
    amount: int
    banker: int


class ShareAsked(Data, frozen=True, gc=False, kw_only=True):
    """A seat asks the banker to let it put `amount` into his bank (R-60)."""

    TYPE = "share.asked"
    amount: int
    by: str = ""
    seat: int
    source: str


class ShareGranted(Data, frozen=True, gc=False, kw_only=True):
    """The banker has a new associate, with `amount` chips in the bank (R-60)."""

    TYPE = "share.granted"
    amount: int
    by: str = ""
    seat: int
    source: str


class ShareRefused(Data, frozen=True, gc=False, kw_only=True):
    """The banker wants no share of this seat's (R-60)."""

    TYPE = "share.refused"
    by: str = ""
    seat: int
    source: str
