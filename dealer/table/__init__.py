"""A table as an aggregate, pure: decide a command, let the croupier advance, evolve by events.

`aggregate.handle` is the whole of it; the other modules are its parts.
"""
