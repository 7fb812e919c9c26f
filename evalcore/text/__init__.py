"""What a text is and how it changes: edits, steps, pipelines, tokens."""
