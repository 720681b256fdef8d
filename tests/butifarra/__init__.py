"""Butifarra: the rule sheet's promises."""
