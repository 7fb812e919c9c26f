"""Open pages without a browser, and read what they show."""

import json
from pathlib import Path
from urllib.parse import unquote

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

ROOT = Path(__file__).parent.parent
PAGES = {"Home": "app.py", **{path.stem.partition("_")[2]: f"pages/{path.name}" for path in sorted((ROOT / "pages").glob("[0-9]*_*.py"))}}
HOSTILE = (
    "$x^2$",
    "_under_ *star* **bold**",
    "`tick`",
    "<script>alert(1)</script>",
    "![](http://example.invalid/a.png)",
    ":red[no]",
    "&lt;",
    "<b>&amp;",
    "[a](b)",
)

# Files to drop on Home: one with everything, and two that belong together.
ONE_FILE = "".join(
    json.dumps({"id": f"q{n}", "prediction": f"the answer {n}", "answers": [f"answer {n}", "other"], "question": f"Which {n}?"}) + "\n" for n in range(8)
)
PREDICTIONS = json.dumps({f"q{n}": f"answer {n}" for n in range(6)}).encode()
REFERENCES = "".join(json.dumps({"id": f"q{n}", "answers": [f"answer {n}"]}) + "\n" for n in range(2, 10)).encode()


def page(name: str, **query: str) -> AppTest:
    """Open a page directly, as a link does, under query parameters."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for parameter, value in query.items():
        at.query_params[parameter] = value
    if name != "Home":
        at.switch_page(PAGES[name])
    return at.run()


def sample(name: str = "Overview", system: str = "bruno", **query: str) -> AppTest:
    """Open a page on the built-in sample."""
    return page(name, run=f"sample-{system}", **query)


def upload(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Drop files on Home."""
    return at.file_uploader[0].set_value([(name, content, "application/octet-stream") for name, content in files]).run()


def press(at: AppTest, label: str) -> AppTest:
    """Press the button whose label begins with a text."""
    return next(button for button in at.button if button.label.startswith(label)).click().run()


def box(at: AppTest, label: str) -> Selectbox:
    """Give the select box of a label."""
    return next(box for box in at.selectbox if box.label == label)


def html(at: AppTest) -> str:
    """Give all HTML of a page, in elements and in the clickable component, without style sheets."""
    bodies = [element.proto.body for element in at.get("html") if not element.proto.body.lstrip().startswith("<style")]
    return "\n".join([*bodies, *(json.loads(element.proto.json)["html"] for element in at.get("bidi_component"))])


def markdown(at: AppTest) -> str:
    """Give everything Streamlit would read as Markdown: texts, labels, help."""
    parts = [element.value for element in (*at.markdown, *at.caption, *at.warning, *at.error, *at.info, *at.success)]
    widgets = (*at.button, *at.selectbox, *at.multiselect, *at.text_input, *at.radio, *at.expander)
    return "\n".join([*parts, *(widget.label for widget in widgets), *(option for radio in at.radio for option in radio.options)])


def query(at: AppTest) -> dict[str, str]:
    """Give the query parameters the page has written."""
    return {name: unquote(value if isinstance(value, str) else value[0]) for name, value in at.query_params.items()}
