"""Open the app's pages in Streamlit's own test harness, on the sample or on typed items."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.data import load
from pages.ui.store import Run, content_key, kept_runs, new_token

ROOT = Path(__file__).parents[1]

# Every one of these must be shown as typed: markup, formulas, markers, links, code.
TYPED = (
    "<script>alert(1)</script>",
    "![x](http://example.invalid/x.png)",
    "$x^2$ and **bold** _it_ `code` :red[x] :material/home:",
    '"><img src=x onerror=alert(1)>',
    "[a](javascript:alert(1))",
    "# head\n- list | | \n~~s~~ &amp; &lt;b&gt;",
)


def opened(page: str, monkeypatch: pytest.MonkeyPatch, **query: str) -> AppTest:
    """Open a page of the app under query parameters, without an exception."""
    monkeypatch.chdir(ROOT)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    fine(app.run())
    app.switch_page(f"pages/{page}.py")
    for name, value in query.items():
        app.query_params[name] = value
    return fine(app.run())


def fine(app: AppTest) -> AppTest:
    """Fail with the page's exception when there is one."""
    assert not app.exception, [(error.message, error.stack_trace) for error in app.exception]
    return app


def html(app: AppTest) -> str:
    """Give all HTML of the page's main part: that of st.html, and that of clickable elements."""
    shown = [str(element.value) for element in app.main if element.type == "html"]
    return "\n".join([*shown, *(json.loads(element.proto.json)["html"] for element in app.main.get("bidi_component"))])


def clickable(app: AppTest, key: str) -> str:
    """Give the HTML of one clickable element."""
    return next(json.loads(element.proto.json)["html"] for element in app.get("bidi_component") if element.key == key)


def kept(items: list[dict[str, object]]) -> str:
    """Keep items as an uploaded run; give the token that opens it."""
    content = "".join(json.dumps(item) + "\n" for item in items).encode()
    loaded = load(content, "typed.jsonl", mapping={"id": "id", "prediction": "prediction", "references": "references"})
    run = Run(content_key(loaded.datasets[0]), new_token(), "typed.jsonl", "", loaded.datasets[0], loaded.report)
    kept_runs().put(run.token, run, 1)
    return run.token


def typed_run() -> str:
    """Keep a run whose every field holds hostile text."""
    pairs = zip(TYPED, TYPED[1:] + TYPED[:1], strict=True)
    return kept(
        [
            {"id": f"{text}{number}", "prediction": text, "references": [other, text + " "], "question": text, "context": f"{text} {other}", "note": text}
            for number, (text, other) in enumerate(pairs)
        ]
    )
