"""Real service processes and their Valkey, killed again and again while people play (design 5 and 7, S-5)."""
