"""The Judge page: verdicts are kept, found again, and held against the score."""

from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.analysis.agreement import agreement
from evalcore.analysis.reasons import find_reasons
from evalcore.analysis.reasons.families import by_family
from evalcore.analysis.sampling import Sample, estimate, strata
from evalcore.analysis.verdicts import VERDICTS
from evalcore.data import sample as load_sample
from evalcore.judging import Store, judgement_of
from evalcore.judging.files import to_jsonl
from evalcore.judging.store import VARIABLE
from pages.ui import judging, work
from pages.ui.store import kept_runs
from tests import pages
from tests.app import html, markdown, page, press, sample

BRUNO = load_sample().datasets[1]


def drawn() -> Sample:
    scores = evalcore.score(BRUNO, preset="squad_v1")
    return Sample.of(strata(scores, by_family(find_reasons(scores))))


def judged(at: AppTest, *labels: str) -> AppTest:
    for label in labels:
        at = press(at, label)
        assert not at.exception
    return at


def test_without_a_run_one_hint_leads_home(kept: Store) -> None:
    at = page("Judge")
    assert not at.exception
    assert "Nothing is loaded yet" in html(at)


def test_without_a_verdict_nothing_is_claimed(kept: Store) -> None:
    at = sample("Judge")
    assert not at.exception
    shown = html(at)
    assert "No verdict yet" in shown
    assert "Does the score agree?" not in shown
    assert "wm-strip" not in shown
    assert "0 of 100 judged" in shown


def test_verdicts_are_kept_with_tag_note_author_and_settings_and_the_next_item_comes(kept: Store) -> None:
    at = sample("Judge")
    rows = drawn().rows.tolist()
    at.text_input(key="keep:judge author").set_value("Ada").run()
    at.selectbox(key="judge_tag").set_value("another right answer").run()
    at.text_input(key="judge_note").set_value("also fine").run()
    at = judged(at, "Right", "Wrong")
    first, second = kept.history()
    assert (first.verdict, first.tag, first.note, first.author) == ("right", "another right answer", "also fine", "Ada")
    assert first.signature == evalcore.preset("squad_v1").signature
    assert (first.item_id, second.item_id) == (BRUNO.ids[rows[0]], BRUNO.ids[rows[1]])
    assert (second.verdict, second.tag, second.note) == ("wrong", "", "")
    assert "2 of 100 judged" in html(at)
    assert "also fine" in pages.clickable(at, "judge_lately")


def test_a_new_session_finds_the_verdicts_and_goes_on(kept: Store) -> None:
    judged(sample("Judge"), "Right", "Unsure", "Reference is wrong")
    at = sample("Judge")
    assert "3 of 100 judged" in html(at)
    assert BRUNO.ids[int(drawn().rows[0])] in pages.clickable(at, "judge_lately")


def test_results_are_those_of_the_core(kept: Store) -> None:
    at = judged(sample("Judge"), *(["Right", "Wrong"] * 6))
    scores, codes = evalcore.score(BRUNO, preset="squad_v1"), kept.judged(BRUNO).codes
    told, held = estimate(drawn(), codes, scores.em), agreement(scores.em == 1, codes, drawn())
    shown = html(at)
    assert f'<div class="wm-fig">{100 * told.interval.estimate:.1f}</div>' in shown
    assert f"{100 * told.interval.low:.1f} – {100 * told.interval.high:.1f} · 95 %" in shown
    assert f'<td>EM</td><td class="wm-n"><b>{"–" if held.precision.count == 0 else f"{100 * held.precision.estimate:.1f}"}</b>' in shown
    assert f"<b>{held.kappa.estimate:.2f}</b>" in shown
    assert "How often is an answer right at this F1?" in shown
    assert ">nan<" not in shown


def test_an_item_can_be_judged_again(kept: Store) -> None:
    at = judged(sample("Judge"), "Right")
    row = int(drawn().rows[0])
    at.session_state["keep:judge again"] = row
    at.run()
    at = judged(at, "Wrong")
    assert [told.verdict for told in kept.history()] == ["right", "wrong"]
    assert kept.judged(BRUNO).codes[row] == 0
    assert "1 of 100 judged" in html(at)


def test_the_sample_stays_while_the_settings_change_until_drawn_anew(kept: Store) -> None:
    at = judged(sample("Judge"), "Right")
    at.query_params["preset"] = "raw"
    at.run()
    assert not at.exception
    assert "drawn under SQuAD v1.1" in html(at)
    at = press(at, "Draw anew")
    assert "drawn under Raw strings" in html(at)


def many(name: str) -> str:
    """Keep a run whose items without a common word failed for two families of reasons."""
    answers = ("cat", "2 cats", "black dog", "bird")
    rows = ({"prediction": answers[n % 4], "references": ["cats" if n % 8 > 3 else "cat"]} for n in range(80))
    return pages.kept([{"id": str(n), "question": f"{name} {n}", **row} for n, row in enumerate(rows)])


def waited(at: AppTest) -> AppTest:
    for job in work.jobs():
        if job.thread is not None:
            job.thread.join()
    return pages.fine(at.run())


def test_the_first_answer_does_not_wait_for_reasons_which_part_the_sample_once_found(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "AT_ONCE", 1)
    with work._shop().turn_apart:
        at = pages.fine(page("Judge", run=many("waited")))
        assert "0 of 80 judged; sample by EM and F1, drawn under" in html(at)
        assert any(bar.proto.text.startswith("Finding reasons") for bar in at.get("progress"))
    at = judged(waited(at), "Right")
    assert "1 of 80 judged; sample by EM, F1 and reason, drawn under" in html(at)
    assert "no word: other wording" in html(at)


def test_reasons_another_page_found_part_the_sample_at_once(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "AT_ONCE", 1)
    token = many("overview")
    with work._shop().turn_apart:
        pages.fine(page("Overview", run=token))
        assert "sample by EM, F1 and reason" in html(pages.fine(page("Judge", run=token)))


def test_who_began_before_the_reasons_were_found_keeps_the_sample_until_it_is_drawn_anew(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "AT_ONCE", 1)
    with work._shop().turn_apart:
        at = judged(pages.fine(page("Judge", run=many("begun"))), *["Right"] * 4)
    at = waited(at)
    assert "4 of 80 judged; sample by EM and F1, drawn under" in html(at)
    at = press(at, "Draw anew by reason")
    assert "sample by EM, F1 and reason, drawn under" in html(at)
    assert "4 of 80 judged" in html(at), "these verdicts count in both samples"


def test_labels_of_the_file_count_as_verdicts(kept: Store) -> None:
    rows = [{"id": str(n), "prediction": "x" if n % 2 else "y", "references": ["x"], "label": "right" if n % 2 else "wrong"} for n in range(40)]
    at = page("Judge", run=pages.kept(rows))
    at.selectbox(key="keep:judge labels").set_value("label").run()
    assert not at.exception
    shown = html(at)
    assert '<div class="wm-fig">50.0</div>' in shown
    assert "<b>1.00</b>" in shown


def test_verdicts_can_be_imported_and_bad_files_say_why(kept: Store, tmp_path: Path) -> None:
    judged(sample("Judge"), "Right", "Wrong")
    content = to_jsonl(kept.history())
    with_new = content.replace(kept.history()[0].id.encode(), b"0" * 32)
    at = sample("Judge")
    at.file_uploader[0].set_value(("more.jsonl", with_new, "application/jsonl")).run()
    at = press(at, "Import")
    assert "1 verdict is new, 1 were there already" in html(at)
    at.file_uploader[0].set_value(("bad.csv", b"\xff\xfe\x00", "text/csv")).run()
    at = press(at, "Import")
    assert not at.exception
    assert "neither JSONL nor CSV" in html(at)


def test_a_database_that_cannot_be_opened_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nonsense")
    at = sample("Judge")
    assert not at.exception
    assert "no database URL" in html(at)


@pytest.mark.parametrize("name", ["popqa", "longbench_qa_f1"])
def test_presets_without_a_number_leave_it_out(kept: Store, name: str) -> None:
    at = judged(sample("Judge", preset=name), "Right", "Wrong")
    assert ">nan<" not in html(at)
    assert ("<td>EM</td>" in html(at)) is False


def test_hostile_texts_show_as_typed(kept: Store) -> None:
    token = pages.typed_run()
    data = kept_runs().get(token).dataset  # type: ignore[union-attr]
    for row in range(3):
        kept.add(judgement_of(data, row, VERDICTS[row], author=pages.TYPED[0], tag=pages.TYPED[1], note=pages.TYPED[2]))
    at = page("Judge", run=token)
    at.text_input(key="keep:judge author").set_value(pages.TYPED[0]).run()
    assert not at.exception
    at = judged(at, "Reference is wrong")
    shown = html(at)
    assert "<script" not in shown
    assert "<img" not in shown
    assert escape(pages.TYPED[1]) in pages.clickable(at, "judge_lately")
    assert pages.TYPED[1] in at.selectbox(key="judge_tag").options
    for text in pages.TYPED:
        assert text not in markdown(at)
