"""What leaves the program: exports of items."""
