"""Workbooks of every kind: texts as they are, numbers by their literal, and the sheet that was chosen."""

import io

import pytest
import xlsxwriter

from evalcore import cli
from evalcore.data import FormatError, load, read_table
from tests.workbooks import ods, xls, xlsb

SHEETS = {
    "About": [["made by hand"]],
    "Answers": [["id", "prediction", "references"], ["007", "Café 中 😀", "Café"], ["2", 3.5, "3.5"], ["3", 12.0, "12"], ["4", "", "x"]],
    "Second run": [["id", "prediction", "references"], ["1", "b", "b"]],
}


def xlsx(sheets):
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"strings_to_formulas": False}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return out.getvalue()


KINDS = {"xlsx": xlsx, "ods": ods, "xls": xls, "xlsb": xlsb}


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_gives_the_same_cells(kind):
    table = read_table(KINDS[kind](SHEETS), f"a.{kind}")
    assert (table.format, table.sheet, table.sheets) == ("Excel", "Answers", tuple(SHEETS))
    assert list(table.columns["id"].texts) == ["007", "2", "3", "4"]
    assert list(table.columns["prediction"].texts) == ["Café 中 😀", "3.5", "12", ""]
    assert list(table.places) == ["row 2", "row 3", "row 4", "row 5"]
    assert any("of 3 sheets 'Answers' was read; the others are 'About', 'Second run'" in note for note in table.notes)


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_sheet_is_chosen_by_its_name(kind):
    table = read_table(KINDS[kind](SHEETS), f"a.{kind}", sheet="Second run")
    assert (table.sheet, list(table.columns["prediction"].texts)) == ("Second run", ["b"])
    with pytest.raises(FormatError, match="has no sheet 'nope'; its sheets are 'About', 'Answers', 'Second run'"):
        read_table(KINDS[kind](SHEETS), f"a.{kind}", sheet="nope")


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_scores(kind):
    assert list(load(KINDS[kind](SHEETS), f"a.{kind}").datasets[0].predictions) == ["Café 中 😀", "3.5", "12", ""]


def test_the_command_line_chooses_sheets(tmp_path, capsys):
    sheets = {"golds": [["id", "references"], ["1", "x"], ["2", "y"]], "run": [["id", "prediction"], ["1", "x"], ["2", "z"]]}
    (tmp_path / "a.xlsx").write_bytes(xlsx(sheets))
    path = str(tmp_path / "a.xlsx")
    assert cli.main(["score", path, "--sheet", "run", "--references", path, "--references-sheet", "golds"]) == 0
    assert "EM" in capsys.readouterr().out
    assert cli.main(["score", path, "--sheet", "none"]) == 2
    assert "its sheets are 'golds', 'run'" in capsys.readouterr().err
