"""The REST doors, over real HTTP against a real Valkey: who may what, what comes back, what never leaks."""
