"""The version of Whymiss, part of every signature."""

VERSION = "0.1.0"
