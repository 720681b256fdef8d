"""The two verifiers of a shoe's record: the program that stands alone, and the command `croupier verify`."""
