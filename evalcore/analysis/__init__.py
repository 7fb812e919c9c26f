"""Why an item failed, and what would change it."""
