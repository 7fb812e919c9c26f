"""Long work beside the page: it runs in a thread of its own, shows how far it is, and can be stopped.

Small runs are worked on at once. Results are kept like scores, for all
sessions. Nothing here touches Streamlit from the thread.
"""

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import uuid4

import streamlit as st

from evalcore import Preset, Scores
from pages.ui import memory, state
from pages.ui.frame import problem
from pages.ui.store import is_known, kept_works, scores_nbytes

Found = TypeVar("Found")
Progress = Callable[[int, int], None]

AT_ONCE_ITEMS = 2_500  # About a second of work for the slowest finding.
AT_ONCE_BYTES = 1_500_000
BYTES_AN_ITEM = 64
SECONDS = 1.0  # Between two looks at work in progress.
PAUSE = 0.5  # Seconds before work begins: whoever turns one switch after the other starts it once.


class Stopped(Exception):
    """Raised inside of work that nobody waits for any more."""


@dataclass(eq=False)
class Job:
    """Work in progress; `users` are the sessions that wait for it."""

    done: int = 0
    items: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None
    users: set[str] = field(default_factory=set)
    thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        return self.thread is not None and self.thread.is_alive()

    @property
    def stopped(self) -> bool:
        return self.stop.is_set()

    def report(self, done: int, items: int) -> None:
        """Take note of progress; end the work when it was stopped."""
        if self.stopped:
            raise Stopped
        self.done, self.items = done, items


@dataclass(eq=False)
class _Shop:
    """All work of the server: one piece at a time, one in processes of its own, and one that takes many minutes, so that pages stay quick."""

    jobs: dict[Hashable, Job]
    turn: threading.Lock
    turn_apart: threading.Lock
    lock: threading.Lock
    long_turn: threading.Lock


@st.cache_resource(show_spinner=False)
def _shop() -> _Shop:
    return _Shop({}, threading.Lock(), threading.Lock(), threading.Lock(), threading.Lock())


def jobs() -> tuple[Job, ...]:
    """Give all work that was begun and not fetched yet."""
    return tuple(_shop().jobs.values())


def finding(
    name: Hashable, make: Callable[[Scores, Progress], Found], preset: Preset | None = None, at_once: int | None = None, apart: bool = False, long: bool = False
) -> Found | None:
    """Give what `make` finds in the scores of the active run; None while it is being found, or when it was stopped.

    `make` must call its progress now and then; `apart` tells that it works
    in processes of its own. Draw `progress` where None is given.
    `at_once`: runs of more items are worked on beside the page, however quick that may be.
    `long`: it takes many minutes, and nothing else shall wait for it.
    """
    scores = state.scores(preset=preset)
    key = _key(name, preset)
    known = kept_works().get(key)
    if known is not None:
        _shop().jobs.pop(key, None)
        found: Found = known[0]
        return found
    if is_small(scores) and (at_once is None or len(scores) <= at_once or is_known(key)):
        return state.found(name, lambda scores: make(scores, lambda done, items: None), BYTES_AN_ITEM * len(scores), preset=preset)
    shop = _shop()
    _begin(name, key, scores, make, shop.long_turn if long else shop.turn_apart if apart else shop.turn)
    return None


def known(name: Hashable, preset: Preset | None = None) -> Any:
    """Give what work beside the page found under this name; None when it was not done."""
    found = kept_works().get(_key(name, preset))
    return None if found is None else found[0]


def _key(name: Hashable, preset: Preset | None = None) -> Hashable:
    run, preset = state.active_run(), preset or state.settings()
    return (name, run and run.key, preset.name, preset.settings)


def is_small(scores: Scores) -> bool:
    """Tell whether everything about a run is found at once: it is small, and no pattern needs too long on it."""
    return not scores.slow and len(scores) <= AT_ONCE_ITEMS and scores.dataset.predictions.nbytes <= AT_ONCE_BYTES


def _session() -> dict[str, Any]:
    if "whymiss_work" not in st.session_state:
        st.session_state["whymiss_work"] = {"id": uuid4().hex, "keys": {}}
    session: dict[str, Any] = st.session_state["whymiss_work"]
    return session


def _begin(name: Hashable, key: Hashable, scores: Scores, make: Callable[[Scores, Progress], Found], turn: threading.Lock) -> None:
    """Begin work unless it is on its way; what this session waited for under the same name before is let go."""
    shop, session = _shop(), _session()
    title = name[0] if isinstance(name, tuple) else name
    with shop.lock:
        before = session["keys"].get(title)
        if before is not None and before != key:
            _leave(shop, before, session["id"])
        session["keys"][title] = key
        job = shop.jobs.get(key)
        if job is None or (job.stopped and session["id"] not in job.users) or _is_lost(job, key):
            job = shop.jobs[key] = Job()
            _start(job, key, scores, make, turn)
        job.users.add(session["id"])
    if job.error is not None:
        shop.jobs.pop(key, None)
        raise job.error


def _is_lost(job: Job, key: Hashable) -> bool:
    """Tell whether work is done and what it found had to make room before anybody fetched it."""
    return not (job.running or job.stopped or job.error) and kept_works().get(key) is None


def _leave(shop: _Shop, key: Hashable, session: str) -> None:
    job = shop.jobs.get(key)
    if job is not None:
        job.users.discard(session)
        if not job.users:
            job.stop.set()
            shop.jobs.pop(key, None)


def _start(job: Job, key: Hashable, scores: Scores, make: Callable[[Scores, Progress], Any], turn: threading.Lock) -> None:
    shelf = kept_works()

    def work() -> None:
        try:
            job.stop.wait(PAUSE)
            with turn:
                job.report(0, len(scores))
                shelf.put(key, (make(scores, job.report),), scores_nbytes(scores) + BYTES_AN_ITEM * len(scores))
        except Stopped:
            return
        except Exception as error:  # Raised again on the page that waits for it.
            job.error = error
        finally:
            memory.return_free()
            memory.set_aside()

    job.thread = threading.Thread(target=work, name="whymiss-work", daemon=True)
    job.thread.start()


def progress(name: Hashable, what: str, preset: Preset | None = None) -> None:
    """Show how far work is, with a button to stop it; the page is drawn again when it is done."""
    key = _key(name, preset)
    job = _shop().jobs.get(key)
    place = name if isinstance(name, str) else "_".join(map(str, name[:1])) if isinstance(name, tuple) else ""
    if job is None:
        return
    if job.stopped:
        problem(f"{what}: stopped.", "info")
        st.button("Find it after all", key=f"work_again_{place}", icon=":material/play_arrow:", on_click=_forget, args=(key,))
        return
    _watched(key, what, place)


@st.fragment(run_every=SECONDS)
def _watched(key: Hashable, what: str, place: str) -> None:
    job = _shop().jobs.get(key)
    if job is None or not job.running or job.stopped:
        st.rerun()
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        share = min(1.0, job.done / job.items) if job.items else 0.0
        said = f"{what}: {100 * share:.0f} %" if job.items else f"{what}: waits for its turn"
        st.progress(share, text=said, width="stretch")
        st.button("Stop", key=f"work_stop_{place}", icon=":material/stop:", on_click=_stop, args=(key,), type="tertiary")


def _stop(key: Hashable) -> None:
    job = _shop().jobs.get(key)
    if job is not None:
        job.stop.set()


def _forget(key: Hashable) -> None:
    _shop().jobs.pop(key, None)
