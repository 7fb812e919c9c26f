"""Speed of the core, as ratios measured in one run."""
