"""Finding presets, what to mind of them, and which one a file asks for."""

import pytest

from evalcore import preset, presets
from evalcore.analysis.suggestion import ALIASES, BESIDE, BY_LANGUAGE, NEEDS_EXACT, SCRIPTS, suggest
from evalcore.dataset import Dataset
from evalcore.scoring.presets import finding
from evalcore.scoring.presets.finding import Wanted, cautions, found
from pages.ui.presets import title


def of(predictions: list[str | None], references: list[list[str]], **columns: list[str]) -> Dataset:
    return Dataset.of(predictions, references, **columns)


def test_asking_for_nothing_finds_all() -> None:
    assert found(Wanted()) == presets()
    assert Wanted().is_anything
    assert not Wanted(words="x").is_anything


def test_every_part_narrows_and_all_must_hold() -> None:
    chinese = found(Wanted(language="zh"))
    assert {"mlqa_zh", "cmrc2018", "hf_exact_match"} <= {each.name for each in chinese}
    assert all(not each.languages or "zh" in each.languages for each in chinese)
    assert {each.family for each in found(Wanted(family="DROP"))} == {"DROP"}
    assert all("TriviaQA" in each.datasets for each in found(Wanted(dataset="TriviaQA")))
    assert [each.name for each in found(Wanted(family="Multilingual", language="ar", words="harness mlqa"))] == ["mlqa_ar", "mlqa_ar_lm_eval"]
    assert {each.measure for each in found(Wanted(measure="containment"))} == {"containment"}
    assert all(not each.has_em for each in found(Wanted(measure=finding.NO_EM)))
    assert found(Wanted(words="no such words anywhere")) == ()


def test_offered_values_find_something() -> None:
    every = presets()
    for family in finding.families(every):
        assert found(Wanted(family=family))
    for language in finding.languages(every):
        assert finding.language_name(language) != language
        assert found(Wanted(language=language))
    for dataset in finding.datasets(every):
        assert found(Wanted(dataset=dataset))
    assert sum(len(found(Wanted(measure=measure))) for measure in finding.measures(every)) == len(every)


def test_containment_is_called_containment_and_a_lack_is_told() -> None:
    for each in presets():
        said = " ".join(cautions(each))
        assert ("not exact match" in said) == (each.has_em and each.measure != "exact match"), each.name
        assert ("no F1" in said) == (each.has_em and not each.has_f1), each.name
        assert ("no EM" in said) == (not each.has_em and each.has_f1), each.name
    assert "containment" in cautions(preset("popqa"))[0]


def test_scorers_of_question_answering_are_those_of_their_families() -> None:
    names = {each.name for each in finding.question_answering()}
    assert {"squad_v1", "cmrc2018", "helm", "dpr_fid_has_answer"} <= names
    assert not {"raw", "trimmed", "inspect.f1", "lm_eval.triviaqa"} & names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hotpot_dev.json", "hotpotqa"),
        ("TriviaQA-unfiltered.jsonl", "triviaqa"),
        ("dev-v2.0.json", "squad_v2"),
        ("preds_squad2.json", "squad_v2"),
        ("KorQuAD_v1.0_dev.json", "korquad_v1"),
        ("mlqa-test.json", "mlqa_en"),
        ("drop_dev.json", "drop_allennlp"),
        ("backdrop.json", "squad_v1"),
        ("answers.jsonl", "squad_v1"),
        ("mathematics.json", "squad_v1"),
    ],
)
def test_a_name_speaks_of_its_data_set(name: str, expected: str) -> None:
    found = suggest(of(["Paris"], [["Paris"]]), [name])
    assert found.preset == expected
    assert (name in found.because) == (expected != "squad_v1")


def test_a_column_that_names_the_data_set_is_read_and_one_of_many_values_is_not() -> None:
    rows = [str(number) for number in range(8)]
    assert suggest(of(rows, [[row] for row in rows], source=["musique"] * 8)).preset == "musique"
    titles = [f"musique {number}" for number in range(8)]
    assert suggest(of(rows, [[row] for row in rows], title=titles)).preset == "squad_v1"


def test_the_language_of_the_references_chooses_among_the_presets_of_a_data_set() -> None:
    assert suggest(of(["x"], [["北京"]]), ["mlqa.json"]).preset == "mlqa_zh"
    assert suggest(of(["x"], [["القاهرة"]]), ["mlqa.json"]).preset == "mlqa_ar"


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("x", "北京", "mlqa_zh"),
        ("x", "東京タワー", "jglue_jsquad"),
        ("x", "서울", "korquad_v1"),
        ("x", "Москва", "xtreme_xquad_tydiqa"),
        ("x", "của Việt Nam", "mlqa_vi"),
        ("so \\boxed{3}", "3", "hendrycks_math.boxed_is_equiv"),
        ("B", "B", "mmlu_pro.l2"),
        ("I choose B.", "B", "mmlu_pro.l2"),
        ("It is red. ANSWER: B", "B", "inspect.answer_letter"),
        ("2 + 2 = 4 #### 4", "4", "lm_eval.gsm8k.strict-match"),
        ("x", "CANNOTANSWER", "quac"),
        ("x", "Paris", "squad_v1"),
        ("", "", "squad_v1"),
    ],
)
def test_the_look_of_the_answers_suggests(prediction: str, reference: str, expected: str) -> None:
    found = suggest(of([prediction] * 5, [[reference]] * 5))
    assert found.preset == expected
    assert found.because
    assert not found.because.endswith(".")


def test_items_without_reference_suggest_no_answer_beside_a_name() -> None:
    data = of(["", "a"], [[], ["a"]])
    assert suggest(data).preset == "squad_v2"
    assert "(1)" in suggest(data).because
    assert suggest(data, ["hotpot.json"]).preset == "hotpotqa"
    assert suggest(of([], [])).preset == "squad_v1"
    assert suggest(of([None], [[]])).preset == "squad_v1"


def test_long_answers_and_thinking_are_warned_of() -> None:
    sentence = "The capital of France is the city of Paris."
    assert "Predictions are long" in suggest(of([sentence] * 3, [["Paris"]] * 3)).cautions[0]
    assert "References are long" in suggest(of(["x"] * 3, [[sentence + " It is."]] * 3)).cautions[0]
    assert "ROUGE-L and chrF" in suggest(of(["x"] * 3, [["北京" * 12]] * 3)).cautions[0], "a script without spaces has words too"
    assert "<think>" in suggest(of(["<think>a</think> b"] * 3, [["b"]] * 3)).cautions[-1]
    assert suggest(of(["Paris"] * 3, [["Paris"]] * 3)).cautions == ()


def test_all_presets_named_in_the_tables_exist() -> None:
    for name in (*BESIDE, *BY_LANGUAGE.values()):
        preset(name)
    datasets = {dataset for each in presets() for dataset in each.datasets}
    assert {*ALIASES.values(), *NEEDS_EXACT} <= datasets
    assert set(BY_LANGUAGE) <= {*SCRIPTS.values(), "vi"}


def test_a_handful_stands_beside_the_suggestion() -> None:
    beside = suggest(of(["x"], [["北京"]])).beside
    assert beside[0] == "mlqa_zh"
    assert len(set(beside)) == len(beside) <= 7


def test_no_two_presets_are_shown_alike() -> None:
    shown = [title(each) for each in presets()]
    assert len(set(shown)) == len(shown)
