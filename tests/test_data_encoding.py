"""Texts in any encoding: found by themselves or chosen; the choices are told."""

import pytest

import evalcore
from evalcore.data import FormatError, load, read_table

CHINESE = "id,prediction\n" + "".join(f"{n},刘备在白帝城去世，享年六十三岁，诸葛亮辅佐后主\n" for n in range(20))
TRADITIONAL = "id,prediction\n" + "".join(f"{n},劉備在白帝城去世，享年六十三歲，諸葛亮輔佐後主\n" for n in range(20))
JAPANESE = "id,prediction\n" + "".join(f"{n},これは日本語の文章です。東京は日本の首都である\n" for n in range(20))
KOREAN = "id,prediction\n" + "".join(f"{n},대한민국의 수도는 서울이며 가장 큰 도시이다\n" for n in range(20))
FRENCH = "id,prediction\n" + "".join(f"{n},Où est passé l’été à Besançon ? Très drôle n’est-ce pas\n" for n in range(20))
TEXTS = [
    (CHINESE, "gb18030"),
    (TRADITIONAL, "big5"),
    (JAPANESE, "cp932"),
    (KOREAN, "cp949"),
    (FRENCH, "cp1252"),
    (CHINESE, "utf-16"),
    (JAPANESE, "utf-16-le"),
    (KOREAN, "utf-16-be"),
    (FRENCH, "utf-8-sig"),
    (CHINESE, "utf-8"),
]


@pytest.mark.parametrize(("text", "encoding"), TEXTS, ids=[encoding for _, encoding in TEXTS])
def test_an_encoding_is_found(text, encoding):
    table = read_table(text.encode(encoding), "a.csv")
    assert table.columns["prediction"].texts[0] == text.split("\n")[1].split(",", 1)[1]


@pytest.mark.parametrize(("text", "encoding"), TEXTS, ids=[encoding for _, encoding in TEXTS])
def test_an_encoding_can_be_chosen(text, encoding):
    table = read_table(text.encode(encoding), "a.csv", encoding)
    assert table.names == ("id", "prediction")
    assert table.columns["prediction"].texts[19] == text.split("\n")[20].split(",", 1)[1]
    assert table.notes == ()


@pytest.mark.parametrize(("text", "encoding"), TEXTS[:5], ids=[encoding for _, encoding in TEXTS[:5]])
def test_a_guess_offers_the_right_one_too(text, encoding):
    table = read_table(text.encode(encoding), "a.csv")
    assert encoding in table.encodings
    assert table.encoding == table.encodings[0]
    assert "guess" in table.notes[0]


def test_utf_8_offers_no_other():
    table = read_table(CHINESE.encode(), "a.csv")
    assert (table.encoding, table.encodings) == ("UTF-8", ("UTF-8",))


def test_another_choice_gives_other_letters():
    data = "id,prediction\n1,naïve café\n".encode("cp1252")
    assert read_table(data, "a.csv", "cp1252").columns["prediction"].texts[0] == "naïve café"
    assert read_table(data, "a.csv", "cp1251").columns["prediction"].texts[0] == "naпve cafй"


@pytest.mark.parametrize(("encoding", "words"), [("utf-8", "no text in utf-8: byte 18"), ("latin-99", "no encoding 'latin-99'"), ("ascii", "choose another")])
def test_a_choice_that_does_not_fit_says_so(encoding, words):
    with pytest.raises(FormatError, match=words):
        read_table("id,prediction\n1,naïve\n".encode("cp1252"), "a.csv", encoding)


def test_cells_with_outer_space_are_told():
    loaded = load(b"q,prediction,gold\nCapital of Peru?,Lima, Lima\nOf Chile?,Santiago,Santiago\n", "a.csv")
    assert loaded.warnings == ("1 cell of 'gold' begins or ends with white space, which counts wherever the settings do not drop it",)
    assert evalcore.score(loaded.datasets[0], preset="squad_v1").em.tolist() == [1.0, 1.0]
    assert evalcore.score(loaded.datasets[0], preset="raw").em.tolist() == [0.0, 1.0]
    assert loaded.datasets[0].references[0] == [" Lima"]


def test_a_western_csv_is_not_taken_for_a_rare_encoding():
    text = "id,prediction,answers\n" + "".join(f"{number},café naïve “quoted” façade{number},x\n" for number in range(30))
    table = read_table(text.encode("cp1252"), "a.csv")
    assert (table.encoding, table.columns["prediction"].texts[0]) == ("cp1252", "café naïve “quoted” façade0")
