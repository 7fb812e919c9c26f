"""Measures of meaning: BERTScore and the similarity of sentence vectors; they need the extra `semantic` and a model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
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


def is_installed() -> bool:
    """Tell whether the extra `semantic` is there."""
    return all(find_spec(name) is not None for name in NEEDED)


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
        if not is_installed():
            missing = ", ".join(package for package in NEEDED if find_spec(package) is None)
            raise SemanticError(f"measures of meaning need {missing}; install them with pip install 'whymiss[semantic]'")
        if Path(name).is_dir():
            return cls(str(Path(name)), layer)
        from bert_score.utils import model2layers
        from huggingface_hub import snapshot_download

        try:
            folder = snapshot_download(name, local_files_only=not download)
        except Exception as error:
            hint = "check the name and the network" if download else "give the folder of a model, or allow the download"
            raise SemanticError(f"the model {name!r:.200} is not on this machine; {hint}") from error
        return cls(folder, model2layers.get(name) if layer is None else layer)

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        from transformers import AutoModel, AutoTokenizer

        model = AutoModel.from_pretrained(self.folder, local_files_only=True).eval()
        return _limited(AutoTokenizer.from_pretrained(self.folder, local_files_only=True), model.config), model

    @cached_property
    def layers(self) -> int:
        """The layer to look at."""
        if self.layer is not None:
            return self.layer
        from transformers import AutoConfig

        return int(AutoConfig.from_pretrained(self.folder, local_files_only=True).num_hidden_layers)

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
    """
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=model.folder, num_layers=model.layers, device="cpu", batch_size=AT_ONCE)
    _limited(scorer._tokenizer, scorer._model.config)
    values = np.full(len(scores), np.nan)
    for rows, predictions, references in _batches(scores, progress):
        values[rows] = scorer.score(predictions, references)[2].double().numpy()
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


def _batches(scores: Scores, progress: Progress | None) -> Iterator[tuple[list[int], list[str], list[list[str]]]]:
    """Give the measurable items, some at once, and report after each batch."""
    items = list(prediction_items(scores.dataset))
    for start in range(0, len(items), AT_ONCE):
        batch = items[start : start + AT_ONCE]
        yield [row for row, _, _ in batch], [prediction for _, prediction, _ in batch], [references for _, _, references in batch]
        if progress is not None:
            progress(min(start + AT_ONCE, len(items)), len(items))
