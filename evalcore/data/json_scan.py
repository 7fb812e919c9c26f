"""Where the values of many JSON lines stand: one pass over the bytes, compiled."""

# ruff: noqa: SIM109, SIM110 -- Membership tests and generators are slower once compiled, or cannot be.

import numpy as np
import numpy.typing as npt

from evalcore.text.compiled import kernel

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Kinds = npt.NDArray[np.uint8]

# What stands at a place; the first two are also what a cell is where the line has no such key.
MISSING, NULL, TEXT, ESCAPED, NUMBER, TRUE, FALSE, LIST, OBJECT, TEXTS = range(10)
BAD, STRANGE = -1, -2

NEAR = 4096  # Columns that a key is looked for among; rows of more in an order of their own are sooner read by a dictionary.
QUOTE, BACKSLASH, COLON, COMMA = 34, 92, 58, 44
OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT = 91, 93, 123, 125


@kernel
def _skip_blank(data: Bytes, place: int, end: int) -> int:
    while place < end and (data[place] == 32 or data[place] == 9 or data[place] == 13):
        place += 1
    return place


@kernel
def _end_of_text(data: Bytes, place: int, end: int) -> tuple[int, bool]:
    """Give the place of the closing quote, and whether there are escapes; -1 where the text is not JSON."""
    escaped = False
    while place < end:
        byte = data[place]
        if byte == QUOTE:
            return place, escaped
        if byte < 32:
            return -1, escaped
        if byte == BACKSLASH:
            escaped = True
            place += 1
            if place >= end:
                return -1, escaped
            letter = data[place]
            if letter == 117:
                for _ in range(4):
                    place += 1
                    if place >= end or not ((48 <= data[place] <= 57) or (97 <= (data[place] | 32) <= 102)):
                        return -1, escaped
            elif not (letter == 34 or letter == 92 or letter == 47 or letter == 98 or letter == 102 or letter == 110 or letter == 114 or letter == 116):
                return -1, escaped
        place += 1
    return -1, escaped


@kernel
def _end_of_number(data: Bytes, place: int, end: int) -> int:
    """Give the place after a JSON number; -1 where it is none."""
    if place < end and data[place] == 45:
        place += 1
    first = place
    while place < end and 48 <= data[place] <= 57:
        place += 1
    if place == first or (data[first] == 48 and place - first > 1):
        return -1
    if place < end and data[place] == 46:
        place += 1
        first = place
        while place < end and 48 <= data[place] <= 57:
            place += 1
        if place == first:
            return -1
    if place < end and (data[place] | 32) == 101:
        place += 1
        if place < end and (data[place] == 43 or data[place] == 45):
            place += 1
        first = place
        while place < end and 48 <= data[place] <= 57:
            place += 1
        if place == first:
            return -1
    return place


@kernel
def _end_of_nested(data: Bytes, place: int, end: int) -> int:
    """Give the place after the bracket that closes the one here; what stands inside is read later. -1 where none does."""
    depth = 0
    while place < end:
        byte = data[place]
        if byte == QUOTE:
            place, _ = _end_of_text(data, place + 1, end)
            if place < 0:
                return -1
        elif byte == OPEN_LIST or byte == OPEN_OBJECT:
            depth += 1
        elif byte == CLOSE_LIST or byte == CLOSE_OBJECT:
            depth -= 1
            if depth == 0:
                return place + 1
        place += 1
    return -1


@kernel
def deepest(data: Bytes) -> int:
    """Give how many lists and objects are open at most, as far as it is JSON."""
    most, depth, place = 0, 0, 0
    while place < len(data):
        byte = data[place]
        if byte == QUOTE:
            place, _ = _end_of_text(data, place + 1, len(data))
            if place < 0:
                return most
        elif byte == OPEN_LIST or byte == OPEN_OBJECT:
            depth += 1
            most = max(most, depth)
        elif byte == CLOSE_LIST or byte == CLOSE_OBJECT:
            depth -= 1
        place += 1
    return most


@kernel
def _is_word(data: Bytes, place: int, end: int, word: Bytes) -> bool:
    if place + len(word) > end:
        return False
    for number in range(len(word)):
        if data[place + number] != word[number]:
            return False
    return True


@kernel
def _column_of(data: Bytes, start: int, stop: int, names: Bytes, ends: Places, guess: int) -> int:
    """Find a key among the known ones, the expected one first; -1 where it is new, or far from there."""
    for turn in range(min(len(ends), NEAR)):
        column = (guess + turn) % len(ends)
        first = ends[column - 1] if column else 0
        if ends[column] - first == stop - start and _is_word(data, start, stop, names[first : ends[column]]):
            return column
    return -1


@kernel
def _literal(data: Bytes, place: int, end: int) -> int:
    """Give the kind of the null, true or false here; MISSING where there is none."""
    if place + 4 <= end and data[place + 3] == 108 and data[place] == 110 and data[place + 1] == 117 and data[place + 2] == 108:
        return NULL
    if place + 4 <= end and data[place + 3] == 101 and data[place] == 116 and data[place + 1] == 114 and data[place + 2] == 117:
        return TRUE
    if place + 5 <= end and data[place + 4] == 101 and data[place] == 102 and data[place + 1] == 97 and data[place + 2] == 108 and data[place + 3] == 115:
        return FALSE
    return MISSING


@kernel
def _value(data: Bytes, place: int, end: int) -> tuple[int, int, int, int]:
    """Find the value here: its kind, where it starts and stops, a text without its quotes, and the place after it; -1 for that where it is none."""
    byte = data[place]
    if byte == QUOTE:
        stop, escaped = _end_of_text(data, place + 1, end)
        return ESCAPED if escaped else TEXT, place + 1, stop, stop + 1 if stop >= 0 else -1
    if byte == OPEN_LIST or byte == OPEN_OBJECT:
        after = _end_of_nested(data, place, end)
        return LIST if byte == OPEN_LIST else OBJECT, place, after, after
    if byte == 45 or 48 <= byte <= 57:
        after = _end_of_number(data, place, end)
        return NUMBER, place, after, after
    kind = _literal(data, place, end)
    after = -1 if kind == MISSING else place + 5 if kind == FALSE else place + 4
    return kind, place, after, after


@kernel
def scan(
    data: Bytes,
    line_starts: Places,
    line_ends: Places,
    names: Bytes,
    ends: Places,
    kinds: Kinds,
    starts: Places,
    stops: Places,
) -> tuple[int, int]:
    """Find every value of every line.

    Shape: `kinds`, `starts` and `stops` have a row a line and a column a
    key; a text stands without its quotes. Gives the first line that needs
    another reader and why (BAD: no JSON object as far as seen here,
    STRANGE: a key that is new, escaped or repeated), or the number of lines and 0.
    """
    columns = len(ends)
    for line in range(len(line_starts)):
        end = line_ends[line]
        place = _skip_blank(data, line_starts[line], end)
        if place >= end or data[place] != OPEN_OBJECT:
            return line, BAD
        place = _skip_blank(data, place + 1, end)
        expected = 0
        more = not (place < end and data[place] == CLOSE_OBJECT)
        while more:
            if place >= end or data[place] != QUOTE:
                return line, BAD
            stop, escaped = _end_of_text(data, place + 1, end)
            if stop < 0:
                return line, BAD
            column = -1 if escaped else _column_of(data, place + 1, stop, names, ends, expected)
            if column < 0 or kinds[line, column] != MISSING:
                return line, STRANGE
            expected = column + 1 if column + 1 < columns else 0
            place = _skip_blank(data, stop + 1, end)
            if place >= end or data[place] != COLON:
                return line, BAD
            place = _skip_blank(data, place + 1, end)
            if place >= end:
                return line, BAD
            kinds[line, column], starts[line, column], stops[line, column], place = _value(data, place, end)
            if place < 0:
                return line, BAD
            place = _skip_blank(data, place, end)
            more = place < end and data[place] == COMMA
            if more:
                place = _skip_blank(data, place + 1, end)
            elif place >= end or data[place] != CLOSE_OBJECT:
                return line, BAD
        if _skip_blank(data, place + 1, end) != end:
            return line, BAD
    return len(line_starts), 0


@kernel
def _hex(data: Bytes, place: int) -> int:
    value = 0
    for number in range(4):
        byte = data[place + number]
        value = value * 16 + (byte - 48 if byte <= 57 else (byte | 32) - 87)
    return value


@kernel
def _copy_text(data: Bytes, start: int, stop: int, out: Bytes, at: int) -> int:
    """Write a text with its escapes read; a lone surrogate becomes its three bytes. Gives the place after it."""
    place = start
    while place < stop:
        byte = data[place]
        if byte != BACKSLASH:
            out[at] = byte
            at += 1
            place += 1
            continue
        letter = data[place + 1]
        place += 2
        if letter != 117:
            out[at] = 8 if letter == 98 else 12 if letter == 102 else 10 if letter == 110 else 13 if letter == 114 else 9 if letter == 116 else letter
            at += 1
            continue
        point = _hex(data, place)
        place += 4
        if 0xD800 <= point < 0xDC00 and place + 6 <= stop and data[place] == BACKSLASH and data[place + 1] == 117:
            low = _hex(data, place + 2)
            if 0xDC00 <= low < 0xE000:
                point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00)
                place += 6
        if point < 0x80:
            out[at] = point
            at += 1
            continue
        if point < 0x800:
            out[at] = 0xC0 | (point >> 6)
            at += 1
        else:
            if point < 0x10000:
                out[at] = 0xE0 | (point >> 12)
                at += 1
            else:
                out[at] = 0xF0 | (point >> 18)
                out[at + 1] = 0x80 | ((point >> 12) & 63)
                at += 2
            out[at] = 0x80 | ((point >> 6) & 63)
            at += 1
        out[at] = 0x80 | (point & 63)
        at += 1
    return at


@kernel
def _copy_nested(data: Bytes, start: int, stop: int, out: Bytes, at: int) -> int:
    """Write a list or an object with one blank after each comma and colon and no other; -1 where a text in it has an escape."""
    place = start
    inside = False
    while place < stop:
        byte = data[place]
        if byte == BACKSLASH:
            return -1
        if byte == QUOTE:
            inside = not inside
        if inside or not (byte == 32 or byte == 9 or byte == 13):
            out[at] = byte
            at += 1
            if not inside and (byte == COMMA or byte == COLON):
                out[at] = 32
                at += 1
        place += 1
    return at


@kernel
def copy_cells(data: Bytes, kinds: Kinds, starts: Places, stops: Places, out: Bytes, offsets: Places, odd: Kinds) -> None:
    """Write the cells of one column one after the other: texts, literals, and the source of lists and objects.

    Shape: `out` has room for twice the source of every cell; `offsets` has
    one entry more than there are cells; `odd` marks nested cells that hold an escape and are left empty.
    """
    at = 0
    for row in range(len(kinds)):
        kind = kinds[row]
        if kind == ESCAPED:
            at = _copy_text(data, starts[row], stops[row], out, at)
        elif kind == LIST or kind == OBJECT:
            after = _copy_nested(data, starts[row], stops[row], out, at)
            if after < 0:
                odd[row] = 1
            else:
                at = after
        elif kind == TEXT or kind == NUMBER or kind == TRUE or kind == FALSE:
            length = stops[row] - starts[row]
            out[at : at + length] = data[starts[row] : stops[row]]
            at += length
        offsets[row + 1] = at


@kernel
def count_texts(data: Bytes, kinds: Kinds, starts: Places, stops: Places, counts: Places) -> int:
    """Count the texts of every list that holds only texts, and mark it as TEXTS. Gives the bytes they take as written."""
    total = 0
    for row in range(len(kinds)):
        if kinds[row] != LIST:
            continue
        place = _skip_blank(data, starts[row] + 1, stops[row])
        count, size, fits = 0, 0, True
        while fits and data[place] != CLOSE_LIST:
            if data[place] != QUOTE:
                fits = False
                break
            stop, _ = _end_of_text(data, place + 1, stops[row])
            size += stop - place - 1
            count += 1
            place = _skip_blank(data, stop + 1, stops[row])
            if data[place] == COMMA:
                place = _skip_blank(data, place + 1, stops[row])
                fits = data[place] == QUOTE
            else:
                fits = data[place] == CLOSE_LIST
        if fits:
            kinds[row] = TEXTS
            counts[row] = count
            total += size
    return total


@kernel
def copy_lists(data: Bytes, kinds: Kinds, starts: Places, stops: Places, out: Bytes, offsets: Places) -> None:
    """Write the texts of all lists marked TEXTS one after the other."""
    at, number = 0, 0
    for row in range(len(kinds)):
        if kinds[row] != TEXTS:
            continue
        place = starts[row] + 1
        while place < stops[row]:
            if data[place] == QUOTE:
                stop, _ = _end_of_text(data, place + 1, stops[row])
                at = _copy_text(data, place + 1, stop, out, at)
                number += 1
                offsets[number] = at
                place = stop
            place += 1
