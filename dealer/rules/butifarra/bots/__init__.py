"""What the house's bots know, how they think of what they cannot know, and what they do."""
