"""Logs of every released version, kept for ever: each replays to the state it led to (design 3, Growing).

A folder a version. Beside each log lies the state after its last event, as it was when the version came out;
fields that came later have their defaults there. `python -m tests.golden.make` writes the folder of the
present version anew, up to its release; folders of released versions are never touched again.
"""
