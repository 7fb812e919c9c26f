"""Tests of Whymiss."""
