"""The project itself: files, locks, import contracts, and the wheel that goes out."""
