"""What security asks of the whole house; `tests/security.toml` says which test shows which requirement."""
