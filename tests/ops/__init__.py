"""The house as its users meet it: the command `croupier` in processes of its own, killed and stopped."""
