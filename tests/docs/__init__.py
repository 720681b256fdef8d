"""The documents keep their word: every command they show is run, and answers as they say."""
