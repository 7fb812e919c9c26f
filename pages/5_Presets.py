"""How much of the score is the choice of the scorer?"""

from pages.ui import preset_table
from pages.ui.frame import frame, section

run = frame("Presets", "How much of the score is the choice of the scorer, and which items make the difference?")
assert run is not None

chosen = preset_table.chooser(run)
rows = preset_table.scored(run, chosen)

if rows:
    section("All on this run", run.title)
    preset_table.plot(rows)
    preset_table.say(rows)
if len(rows) > 1:
    section("Where two of them disagree", "choose two; each number lists its items, a row opens both traces")
    preset_table.disagreements(run, rows)
