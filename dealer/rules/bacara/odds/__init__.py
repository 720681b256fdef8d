"""Exact odds of a coup: every order in which its cards can leave the shoe, counted, none sampled.

`counts` counts hands, `sight` is what the banker knows when he speaks, `bankers` what he does then, `coups`
sums over all he may see, and `report` puts it into figures. Who draws and who wins is asked of the rules.
"""
