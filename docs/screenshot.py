"""Make the README's picture: the Overview page on the built-in sample.

Run `python -m docs.screenshot`: it starts the app, opens the sample in
the system's Chromium, and writes docs/screenshot.png.
"""

from pathlib import Path

from evalcore import score
from evalcore.data import sample
from tests.browser import chromium, server, settled, titled

PICTURE = Path(__file__).with_suffix(".png")


def main() -> None:
    """Show the sample's second system, whose answers miss for many reasons, and save the page."""
    bruno = next(dataset for dataset in sample().datasets if dataset.system == "bruno")
    em = f"{100 * score(bruno, preset='squad_v1').summary().em:.2f}"
    with server() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 1000}, color_scheme="light")
        page.set_default_timeout(120_000)
        page.goto(address)
        page.get_by_role("button", name="Try the sample").first.click()
        titled(page, "Overview")
        page.get_by_test_id("stSidebar").get_by_text("bruno").first.click()
        page.get_by_text(em, exact=True).first.wait_for()
        settled(page)
        page.locator("[data-testid=stVegaLiteChart] svg.marks").first.wait_for()
        page.mouse.move(720, 990)
        page.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
