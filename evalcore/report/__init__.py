"""What leaves the program: exports of items, reports, and scripts that give the numbers again."""
