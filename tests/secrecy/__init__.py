"""What nobody may learn of a hidden card, and how that is shown for every game (fairness S-20, S-21).

Two worlds play the same public script with shoes that differ only where nobody but an insider may look, and
every byte that leaves the house has to be the same in both (`worlds`, `script`, `doors`). Beside that, many
rounds are played, and every place where something is kept is searched for what must not be there (`evening`,
`sinks`, `sieve`). A game adds what it is by one line in `games`.
"""
