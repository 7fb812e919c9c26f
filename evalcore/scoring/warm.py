"""Make the compiled kernels ready before somebody waits for them."""

from threading import Thread

from evalcore.scoring.presets import preset
from evalcore.scoring.score import score
from evalcore.text.catalogue import step
from evalcore.text.columns import Texts
from evalcore.text.needle import Needle


def warm() -> Thread:
    """Load or compile all kernels in a background thread; give the thread.

    Compiled code is kept on disk beside the package, or in the user's
    cache folder where that is read-only, so compiling happens once.

    >>> warm().join()
    """
    thread = Thread(target=_touch_every_kernel, name="whymiss-warm", daemon=True)
    thread.start()
    return thread


def _touch_every_kernel() -> None:
    """Score and search texts that take every way through the kernels: ASCII and not, bytes and strings, bags and sets."""
    predictions, references = ["the cat", "Ünder the Σ"], [["cat", "a dog"], ["ΟΔΟΣ x"]]
    plain = preset("squad_v1")
    in_python = plain.with_steps([step("replace_pattern", pattern="x"), *plain.pipeline])
    for settings in (plain, in_python, preset("squad_spaced"), preset("mlqa_zh")):
        score(predictions, references, settings)
    needle, texts = Needle("cat"), Texts.of(predictions)
    needle.within(texts)
    needle.within_folded(texts)
