"""Scores: exact match, token F1, and how every number was made."""
