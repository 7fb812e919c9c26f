"""Scorers restated in plain Python, slow and easy to read, to hold the fast ones against.

Each takes a prediction and its references and gives (em, f1): None where
the scorer has no such number, or UNSCORED where it cannot score the item.
"""

UNSCORED = "unscored"
