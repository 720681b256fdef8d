"""Bacará: paños, the bank, the coup. Rule ids R-... are those of the rule sheet."""
