"""What games played in matches have in common."""
