"""The croupier: runs the pure parts. Load, decide, append, tell, keep time, play the bots.

No node owns a table: any node may serve any of them, and the expected version of the append is the
only arbiter (design 5).
"""
