"""What games of tricks share: who wins a trick, what may be played, the commands and events of play.

Nothing here knows which game is played; a game brings its order of cards and its duties.
"""
