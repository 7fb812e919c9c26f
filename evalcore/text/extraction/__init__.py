"""Extraction: steps that cut the answer out of a model's output."""

from evalcore.text.extraction.boxed import take_boxed, take_last_box
from evalcore.text.extraction.choices import take_choice, take_label
from evalcore.text.extraction.json_field import take_json, take_json_field
from evalcore.text.extraction.lines import drop_final_stop, require_text, strip_quotes, take_line, take_sentence
from evalcore.text.extraction.markers import take_after, take_match, take_match_in_turn, take_tag
from evalcore.text.extraction.numbers import take_number
from evalcore.text.extraction.thinking import drop_thinking
from evalcore.text.steps import entries

ENTRIES = entries(
    "extraction",
    drop_thinking,
    take_line,
    take_sentence,
    take_after,
    take_match,
    take_match_in_turn,
    take_tag,
    take_boxed,
    take_last_box,
    take_json_field,
    take_json,
    take_choice,
    take_label,
    take_number,
    strip_quotes,
    require_text,
    drop_final_stop,
)
