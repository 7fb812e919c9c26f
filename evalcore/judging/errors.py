"""What can go wrong with the judgements."""


class StoreError(Exception):
    """The judgements cannot be read or kept; the message says why and what to do."""
