"""The laws every step and every pipeline keeps."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.text.catalogue import CATALOGUE
from evalcore.text.edits import apply
from evalcore.text.pipeline import Pipeline
from tests.counts import examples
from tests.hostile import long_texts, texts
from tests.pipelines import pipelines, steps_of


@pytest.mark.parametrize("name", sorted(CATALOGUE))
@given(data=st.data(), text=texts)
@settings(max_examples=examples(60))
def test_replaying_the_edits_gives_the_text_after(name, data, text):
    drawn = data.draw(steps_of(CATALOGUE[name]))
    edits = drawn.edits(text)
    assert apply(text, edits) == drawn.apply(text)
    assert all(text[edit.start : edit.end] != edit.new for edit in edits), "an edit that changes nothing"


@pytest.mark.parametrize("name", sorted(CATALOGUE))
@given(data=st.data(), text=long_texts)
@settings(max_examples=3, deadline=None)
def test_long_texts_replay_too(name, data, text):
    drawn = data.draw(steps_of(CATALOGUE[name]))
    assert apply(text, drawn.edits(text)) == drawn.apply(text)


@given(pipelines, texts)
def test_a_trace_ends_where_the_pipeline_ends(pipeline, text):
    trace = pipeline.trace(text)
    assert trace.result == pipeline.apply(text)
    before = text
    for stage in trace.stages:
        assert stage.before == before
        assert apply(stage.before, stage.edits) == stage.after
        before = stage.after


@given(pipelines, texts, texts)
def test_equal_stays_equal(pipeline, first, second):
    left, right = pipeline.trace(first), pipeline.trace(second)
    equal = first == second
    for stage_left, stage_right in zip(left.stages, right.stages, strict=True):
        assert not equal or stage_left.after == stage_right.after
        equal = stage_left.after == stage_right.after


@given(pipelines, texts, st.data())
def test_origins_lie_in_the_raw_text_and_keep_their_order(pipeline, text, data):
    trace = pipeline.trace(text)
    start = data.draw(st.integers(0, len(trace.result)))
    end = data.draw(st.integers(start, len(trace.result)))
    first, last = trace.origin(start, end)
    assert 0 <= first <= last <= len(text)


@given(pipelines)
def test_a_pipeline_survives_json_and_is_equal_by_value(pipeline):
    again = Pipeline.from_json(pipeline.to_json())
    assert again == pipeline
    assert hash(again) == hash(pipeline)
    assert again.signature == pipeline.signature
    assert "|" not in pipeline.signature
    assert pipeline.signature.isprintable()


@given(pipelines, pipelines)
def test_different_pipelines_have_different_signatures(first, second):
    assert (first == second) == (first.signature == second.signature)
