"""The store on the real server: its life, its deaths, and what it refuses."""
