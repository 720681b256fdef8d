"""A table's log read back and checked, without a service and without trusting one (design 8)."""
