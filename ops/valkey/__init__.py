"""The store: the embedded Valkey under our own supervision, an external one under inspection."""
