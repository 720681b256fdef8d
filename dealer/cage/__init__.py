"""The cage as an aggregate, pure: accounts, and transfers that are held before they are posted."""
