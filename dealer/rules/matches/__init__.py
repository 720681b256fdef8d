"""What games played in matches share: seats and pairs, dealer, buy-ins, the course of hands, giving up.

Nothing here knows which game is played; what it does is cited by its sections in `rules/baciga.md` and
`rules/butifarra.md`.
"""
