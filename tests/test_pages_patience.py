"""A spinner is for those who wait, not for those who would only see it flash."""

from contextlib import nullcontext
from threading import Event

import pytest

from pages.ui import patience


@pytest.fixture
def labels(monkeypatch):
    """Give the labels of the spinners that are shown, each while somebody waits."""
    shown = []
    monkeypatch.setattr(patience.st, "spinner", lambda label, show_time: nullcontext(shown.append(label)))
    return shown


def test_what_is_done_soon_shows_no_spinner(labels):
    assert patience.waited("Searching", lambda: 7) == 7
    assert labels == []


def test_who_waits_sees_what_for(labels, monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 0.01)
    goes_on = Event()
    monkeypatch.setattr(patience.st, "spinner", lambda label, show_time: nullcontext((labels.append(label), goes_on.set())))
    assert patience.waited("Searching", lambda: goes_on.wait(60)) is True
    assert labels == ["Searching"]


@pytest.mark.parametrize("error", [ValueError("no"), TimeoutError("too long")])
def test_an_error_is_that_of_the_work(labels, error):
    def work():
        raise error

    with pytest.raises(type(error), match=str(error)):
        patience.waited("Searching", work)
    assert labels == []
