"""Butifarra: profiles `seed`, `competicio-lliure` and `competicio-obligada` of `rules/butifarra.md`."""
