"""The contract of the journal, against a real Valkey."""
