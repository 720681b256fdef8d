"""The duties of section 7 and 8 once more, said as plainly as the sheet says them, to be compared with."""

ORDERS = {
    "seed40": ["9", "1", "12", "11", "10", "8", "7", "6", "5", "4", "3", "2"],
    "seed40_as": ["1", "12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2"],
    "standard72": ["9", "1", "12", "11", "10", "8", "7", "6", "5", "4", "3", "2"],
}
"""The ranks from high to low."""
COUNTING = {"seed40": "9 1 12 11", "seed40_as": "1 12 11 10", "standard72": "9 1 12 11 10"}


def legal(
    hand: list[str], trick: list[str], trump: str, values: str, undertrump: bool, obligada: bool
) -> list[str]:
    """What may be played, as faces; the partner of whoever plays lies two places back."""
    if not trick:
        return hand
    trumps = [card for card in trick if card[-1] == trump]
    led = [card for card in trick if card[-1] == trick[0][-1]]

    def height(card: str) -> int:
        return -ORDERS[values].index(card[:-1])

    best = max(trumps or led, key=height)
    mate = len(trick) > 1 and trick[-2] == best
    following = [card for card in hand if card[-1] == trick[0][-1]]
    own_trumps = [card for card in hand if card[-1] == trump]
    ruffed = best[-1] != trick[0][-1]
    if following:
        beating = [] if ruffed else [card for card in following if height(card) > height(best)]
    elif best[-1] == trump:
        beating = [card for card in own_trumps if height(card) > height(best)]
    else:
        beating = own_trumps
    pool = following or hand
    if not mate and beating:
        return beating
    if obligada:
        lows = [
            min((card for card in pool if card[-1] == suit), key=height)
            for suit in {card[-1] for card in pool}
        ]
        return [card for card in pool if card in lows or (mate and card[:-1] in COUNTING[values].split())]
    if not mate and not following and undertrump and own_trumps:
        return own_trumps
    return pool
