"""Measures of meaning: BERTScore and the similarity of sentence vectors; they need the extra `semantic` and a model."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np

from evalcore.analysis.measures import Measure, Measured, prediction_items
from evalcore.scoring.metrics import Floats
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import mean_interval

NEEDED = ("torch", "transformers", "bert_score")
AT_ONCE = 64
BERTSCORE = Measure("bertscore", "BERTScore", "F1 of the best match of every word in context; best reference.", "bert-score 0.3")
SIMILARITY = Measure("sentence_similarity", "Sentence similarity", "Cosine of mean word vectors; best reference.", "mean pooling as in sentence-transformers")

Progress = Callable[[int, int], None]


class SemanticError(Exception):
    """A measure of meaning cannot be made; the message says what is missing and how to get it."""


def missing() -> str:
    """Say which packages are missing and how to install them; "" when the extra `semantic` is there."""
    absent = ", ".join(name for name in NEEDED if find_spec(name) is None)
    told = f"measures of meaning need {absent}; install them with pip install 'whymiss[semantic]', or pip install '.[semantic]' in a copy of the project"
    return told if absent else ""


@contextmanager
def _reading(folder: str) -> Iterator[None]:
    """Say of a model that cannot be read where it is and why."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError, UnpicklingError, SafetensorError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise SemanticError(
            f"the folder {folder!r:.200} holds no model that can be read ({why:.200}); "
            "give a folder with config.json, weights and tokenizer, as save_pretrained writes it"
        ) from error


@dataclass(frozen=True)
class Model:
    """A language model in a folder.

    `layer`: the hidden layer BERTScore looks at, counted from 1; None for
    the one bert-score recommends for a model it knows, else the last.
    """

    folder: str
    layer: int | None = None

    @classmethod
    def find(cls, name: str, *, download: bool = False, layer: int | None = None) -> "Model":
        """Find a model: a folder, or a name of the Hugging Face hub that was downloaded before.

        Nothing is downloaded unless `download` says so.
        Raises: SemanticError when the extra is not installed or the model is not there.
        """
        if missing():
            raise SemanticError(missing())
        if Path(name).is_dir():
            return cls(str(Path(name)), layer)
        from bert_score.utils import model2layers
        from huggingface_hub import snapshot_download

        try:
            folder = snapshot_download(name, local_files_only=not download)
        except (OSError, ValueError) as error:  # Not there, no network, not allowed; no name a model can have.
            hint = "check the name and the network" if download else "give the folder of a model, or allow the download"
            raise SemanticError(f"the model {name!r:.200} is not on this machine; {hint}") from error
        return cls(folder, model2layers.get(name) if layer is None else layer)

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        from transformers import AutoModel, AutoTokenizer

        with _reading(self.folder):
            model = AutoModel.from_pretrained(self.folder, local_files_only=True).eval()
            return _limited(AutoTokenizer.from_pretrained(self.folder, local_files_only=True), model.config), model

    @cached_property
    def layers(self) -> int:
        """The layer to look at.

        Raises: SemanticError for a layer the model does not have.
        """
        from transformers import AutoConfig

        with _reading(self.folder):
            there = int(AutoConfig.from_pretrained(self.folder, local_files_only=True).num_hidden_layers)
        if self.layer is not None and not 1 <= self.layer <= there:
            raise SemanticError(f"layer {self.layer} is asked for, and the model in {self.folder!r:.200} has {there}; give a layer from 1 to {there}")
        return there if self.layer is None else self.layer

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Give one vector of length 1 a text: the mean of its tokens' vectors."""
        import torch

        tokenizer, model = self._parts
        with torch.no_grad():
            batch = tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
            hidden = model(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1).to(hidden.dtype)
            mean = (hidden * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
            found: Floats = torch.nn.functional.normalize(mean, dim=1).double().numpy()
        return found


def _limited(tokenizer: Any, config: Any) -> Any:
    """Cut texts where the model ends; a tokenizer that was saved without a length knows no end."""
    tokenizer.model_max_length = min(tokenizer.model_max_length, getattr(config, "max_position_embeddings", tokenizer.model_max_length))
    return tokenizer


def bert_scores(scores: Scores, model: Model, progress: Progress | None = None) -> Measured:
    """Give BERTScore's F1 of every item, by the bert-score package.

    Range: about 0..1, not rescaled; compare only values of one model and layer.
    Empty: a blank side gives 0, as bert-score means it to, which fails on blank texts under transformers 5.
    """
    from bert_score import BERTScorer

    with _reading(model.folder):
        scorer = BERTScorer(model_type=model.folder, num_layers=model.layers, device="cpu", batch_size=AT_ONCE)
    _limited(scorer._tokenizer, scorer._model.config)
    values = np.full(len(scores), np.nan)
    for rows, predictions, references in _batches(scores, progress):
        values[rows] = 0.0
        said = [(row, text, [one for one in texts if one.strip()]) for row, text, texts in zip(rows, predictions, references, strict=True)]
        filled = [each for each in said if each[1].strip() and each[2]]
        if filled:
            places, ours, theirs = map(list, zip(*filled, strict=True))
            values[places] = scorer.score(ours, theirs)[2].double().numpy()
    return Measured(BERTSCORE, values, mean_interval(values))


def sentence_similarities(scores: Scores, model: Model, progress: Progress | None = None) -> Measured:
    """Give the cosine between the vectors of every prediction and its nearest reference.

    Range: -1..1, in practice 0..1.
    """
    values = np.full(len(scores), np.nan)
    for rows, predictions, references in _batches(scores, progress):
        flat = [text for texts in references for text in texts]
        ours = np.repeat(model.vectors(predictions), [len(texts) for texts in references], axis=0)
        starts = np.cumsum([0, *(len(texts) for texts in references[:-1])])
        values[rows] = np.maximum.reduceat((ours * model.vectors(flat)).sum(1), starts)
    return Measured(SIMILARITY, values, mean_interval(values))


def meanings(scores: Scores, model: Model, progress: Progress | None = None) -> tuple[Measured, Measured]:
    """Give BERTScore and sentence similarity of a run.

    Raises: SemanticError when the model cannot be read; what progress raises.
    """
    return bert_scores(scores, model, _half(progress, 0)), sentence_similarities(scores, model, _half(progress, 1))


def _half(progress: Progress | None, number: int) -> Progress | None:
    """Tell the progress of one of two parts as progress of the whole."""
    return None if progress is None else lambda done, items: progress(number * items + done, 2 * items)


def _batches(scores: Scores, progress: Progress | None) -> Iterator[tuple[list[int], list[str], list[list[str]]]]:
    """Give the measurable items, some at once, and report before the first and after each batch."""
    items = list(prediction_items(scores.dataset))
    if progress is not None and items:
        progress(0, len(items))
    for start in range(0, len(items), AT_ONCE):
        batch = items[start : start + AT_ONCE]
        yield [row for row, _, _ in batch], [prediction for _, prediction, _ in batch], [references for _, _, references in batch]
        if progress is not None:
            progress(min(start + AT_ONCE, len(items)), len(items))
