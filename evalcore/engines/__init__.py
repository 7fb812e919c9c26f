"""The same scoring over many files: each is scored alone, and their statistics are put together."""
