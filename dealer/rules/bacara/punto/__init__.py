"""Punto y banca: the house banks, and nobody decides anything but his stake (R-93 to R-107)."""
