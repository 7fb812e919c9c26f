"""Compiled kernels: texts through steps, cut into tokens.

One text at a time goes through all operations of a program inside one
scratch buffer that stays in the processor's cache; only the result is
written out. The operations are numbers (see `program.py`), their data are
tables filled by the steps' own functions (see `character_tables.py`). A
kernel never guesses: a character without a table page, or a word whose
characters look at their neighbours, is requested from Python, and the text
is left pending until the answer is in the tables.
"""

from typing import Any

import numpy as np

from evalcore.text.compiled import kernel
from evalcore.text.layout import Bytes, Cells, Codes, Counts, Output, Tables, Work

Int = Any  # An int when compiled, a NumPy integer when not.

MAP, WORDS, SQUEEZE, STRIP, REMOVE, TOKENS, WORD_TOKENS = range(7)  # Kinds of operation.
DELETE, ODD, FIRST_SPILL = -1, -2, -3  # Cells of a MAP table that are no code point; FIRST_SPILL - i is expansion i.
BETWEEN, JOINS, ALONE = range(3)  # Roles of a character for a tokenizer.
DONE, OUTPUT_FULL, TOKENS_FULL, SCRATCH_FULL = range(4)  # Why a kernel came back.
PENDING, NO_ROOM, MET_ODD, UNSEEN = -1, -2, -3, -4
UNFILLED = -(1 << 30)  # A cell of the first block, to which all pages lead that are not filled yet.
NEED_PAGE, NEED_WORD = range(2)
SPACE = 32
FUSED_ROLE, FUSED_SPACE, FUSED_DELETED = 8, 1 << 10, 1 << 11  # In a fused cell: where the word role stands; whitespace; deleted after the words.
AT_OUTPUT, AT_TOKEN, AT_PENDING, AT_REQUEST, AT_REQUEST_CODE, STOPPED_AT, STATUS = range(7)  # Places of a cursor.

at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.


@kernel
def hash_step(value: Int, code: Int) -> Int:
    """Take one more code into a hash of 31 bits."""
    return ((value ^ code) * 16777619) & 0x7FFFFFFF


@kernel
def cell(pages: Cells, cells: Cells, table: Int, code: Int) -> Int:
    """Look a character up; UNFILLED where its page is not filled yet."""
    return np.int64(cells[at((np.int64(pages[at(table), at(code >> 8)]) << 8) | (code & 255))])


@kernel
def pages_are_filled(text: Codes, length: Int, pages: Cells, table: Int, requests: Counts, cursor: Counts) -> bool:
    """Tell whether every character has its page, and request those that are missing."""
    filled = True
    for index in range(length):
        page = np.int64(text[at(index)]) >> 8
        if pages[at(table), at(page)] == 0:
            filled = False
            number = cursor[AT_REQUEST]
            if number < requests.shape[0]:
                requests[number, 0], requests[number, 1], requests[number, 2], cursor[AT_REQUEST] = NEED_PAGE, table, page, number + 1
    return filled


@kernel
def request_word(requests: Counts, request_codes: Codes, cursor: Counts, operation: Int, codes: Codes, start: Int, end: Int) -> None:
    """Ask Python for what an operation makes of a word."""
    number, place = cursor[AT_REQUEST], cursor[AT_REQUEST_CODE]
    if number < requests.shape[0] and place + end - start <= request_codes.shape[0]:
        for index in range(end - start):
            request_codes[at(place + index)] = codes[at(start + index)]
        requests[number, 0], requests[number, 1] = NEED_WORD, operation
        requests[number, 2], requests[number, 3] = place, place + end - start
        cursor[AT_REQUEST], cursor[AT_REQUEST_CODE] = number + 1, place + end - start


@kernel
def find_entry(slots: Counts, entries: Counts, lexicon: Codes, operation: Int, codes: Codes, start: Int, end: Int) -> Int:
    """Find the lexicon's entry for a word of an operation, -1 where there is none."""
    value = hash_step(0, operation)
    for index in range(start, end):
        value = hash_step(value, np.int64(codes[at(index)]))
    mask = slots.shape[0] - 1
    slot = value & mask
    while slots[at(slot)] >= 0:
        entry = slots[at(slot)]
        key = entries[at(entry), 1]
        if entries[at(entry), 0] == operation and entries[at(entry), 2] - key == end - start:
            same = True
            for index in range(end - start):
                if lexicon[at(key + index)] != codes[at(start + index)]:
                    same = False
                    break
            if same:
                return entry
        slot = (slot + 1) & mask
    return -1


@kernel
def map_ascii(text: Codes, length: Int, cells: Cells, base: Int) -> Int:
    """Map a text of ASCII characters of which each stays one or is deleted."""
    end = 0
    for index in range(length):
        value = cells[at(base + np.int64(text[at(index)]))]
        text[at(end)] = value
        end += value >= 0
    return end


@kernel
def map_span(text: Codes, end: Int, source: Codes, start: Int, stop: Int, pages: Cells, cells: Cells, table: Int, spill: Codes, spill_offsets: Counts) -> Int:
    """Map source[start:stop] to text[end:]; give the new end, MET_ODD, UNSEEN or NO_ROOM."""
    room = text.shape[0]
    for index in range(start, stop):
        value = cell(pages, cells, table, np.int64(source[at(index)]))
        if value >= 0:
            if end >= room:
                return NO_ROOM
            text[at(end)] = value
            end += 1
        elif value in (ODD, UNFILLED):
            return MET_ODD if value == ODD else UNSEEN
        elif value <= FIRST_SPILL:
            first, last = spill_offsets[at(FIRST_SPILL - value)], spill_offsets[at(FIRST_SPILL - value + 1)]
            if end + last - first > room:
                return NO_ROOM
            for place in range(first, last):
                text[at(end)] = spill[at(place)]
                end += 1
    return end


@kernel
def map_words(text: Codes, source: Codes, length: Int, operation: Int, tables: Tables, work: Work) -> Int:
    """Map a text word by word between spaces; a word with odd characters is looked up as a whole."""
    table, missing = tables.operations[operation, 1], False
    end: Int = 0
    start = 0
    while start < length:
        stop = start
        while stop < length and source[at(stop)] != SPACE:
            stop += 1
        after = min(stop + 1, length)
        mapped = map_span(text, end, source, start, after, tables.pages, tables.cells, table, tables.spill, tables.spill_offsets)
        if mapped == MET_ODD:
            after = stop
            entry = find_entry(tables.slots, tables.entries, tables.lexicon, operation, source, start, stop)
            mapped = end
            if entry < 0:
                missing = True
                request_word(work.requests, work.request_codes, work.cursor, operation, source, start, stop)
            else:
                mapped = write_span(text, end, tables.lexicon, tables.entries[at(entry), 2], tables.entries[at(entry), 3])
        if mapped < 0:
            return mapped
        end, start = mapped, after
    return PENDING if missing else end


@kernel
def write_span(text: Codes, end: Int, source: Codes, first: Int, last: Int) -> Int:
    """Write source[first:last] to text[end:]; give the new end, or NO_ROOM."""
    if end + last - first > text.shape[0]:
        return NO_ROOM
    for place in range(first, last):
        text[at(end)] = source[at(place)]
        end += 1
    return end


@kernel
def replace_words(
    text: Codes, length: Int, longest: Int, operation: Int, pages: Cells, cells: Cells, table: Int, slots: Counts, entries: Counts, lexicon: Codes, spare: Codes
) -> Int:
    """Replace the listed words; a word is a whole run of word characters.

    A cell of the table is 0 between words, 2 for the characters a listed word begins with, 1 for all others.
    """
    for index in range(length):
        spare[at(index)] = text[at(index)]
    end, start, first, before = 0, 0, 0, 0
    for index in range(length + 1):
        role = cell(pages, cells, table, np.int64(spare[at(index)])) if index < length else 0
        if first == 2 and role == 0 and before != 0 and index - start <= longest:
            entry = find_entry(slots, entries, lexicon, operation, spare, start, index)
            if entry >= 0:
                end = write_span(text, end - (index - start), lexicon, entries[at(entry), 2], entries[at(entry), 3])
                if end < 0:
                    return end
        first = first if before else role
        start = start if before else index
        before = role
        if index < length:
            if end >= text.shape[0]:
                return NO_ROOM
            text[at(end)] = spare[at(index)]
            end += 1
    return end


@kernel
def change_whitespace(text: Codes, length: Int, kind: Int, pages: Cells, cells: Cells, table: Int) -> Int:
    """Squeeze, strip or remove whitespace."""
    if kind == STRIP:
        start = 0
        while start < length and cell(pages, cells, table, np.int64(text[at(start)])) > 0:
            start += 1
        while length > start and cell(pages, cells, table, np.int64(text[at(length - 1)])) > 0:
            length -= 1
        for index in range(length - start):
            text[at(index)] = text[at(start + index)]
        return length - start
    end = 0
    if kind == REMOVE:
        for index in range(length):
            code = text[at(index)]
            text[at(end)] = code
            end += cell(pages, cells, table, np.int64(code)) == 0
        return end
    before = 1  # A text begins as if after a space, so that leading ones vanish.
    for index in range(length):
        code = np.int64(text[at(index)])
        is_space = cell(pages, cells, table, code)
        text[at(end)] = code + is_space * (SPACE - code)
        end += 1 - (is_space & before)
        before = is_space
    return end - 1 if before and end > 0 else end


@kernel
def cut_tokens(
    codes: Codes, start: Int, end: Int, pages: Cells, cells: Cells, table: Int, token_starts: Counts, token_ends: Counts, hashes: Cells, number: Int
) -> Int:
    """Write the tokens of codes[start:end] after the ones there are; give their new number.

    The token being read is written at every character and counted at its
    end: without branches, because where words end cannot be predicted.
    """
    first, value, before = start, 0, BETWEEN
    for index in range(start, end):
        code = np.int64(codes[at(index)])
        role = cell(pages, cells, table, code)
        goes_on = (role == JOINS) & (before == JOINS)
        token_starts[at(number)], token_ends[at(number)], hashes[at(number)] = first, index, value
        number += (before != BETWEEN) & (not goes_on)
        first = first if goes_on else index
        value = hash_step(value if goes_on else 0, code)
        before = role
    token_starts[at(number)], token_ends[at(number)], hashes[at(number)] = first, end, value
    return number + (before != BETWEEN)


@kernel
def squeeze_and_cut(
    text: Codes, length: Int, codes: Codes, place: Int, pages: Cells, cells: Cells, table: Int, starts: Counts, ends: Counts, hashes: Cells, number: Int
) -> tuple[Int, Int]:
    """Write a text with its whitespace squeezed to codes[place:], and its words as tokens; give the end and the number of tokens."""
    end, begin, value = place, place, 0
    for index in range(length + 1):
        code = np.int64(text[at(index)]) if index < length else SPACE
        if index < length and cell(pages, cells, table, code) != BETWEEN:
            codes[at(end)] = code
            value = hash_step(value, code)
            end += 1
        elif end > begin:
            starts[at(number)], ends[at(number)], hashes[at(number)] = begin, end, value
            number += 1
            codes[at(end)] = SPACE
            end += 1
            begin, value = end, 0
    return end - 1 if end > place else end, number


@kernel
def normalize_fused(data: Bytes | Codes, starts: Counts, ends: Counts, rows: Counts, tables: Tables, output: Output, work: Work) -> None:
    """Map, drop words, squeeze and cut ASCII texts in one pass; any other row is left pending.

    A token begins where the last space was written, so nothing is open
    while end == begin. A listed word is taken back when it ends, and a
    space put in its place. The output has room for all rows.
    """
    fused, operation, longest = tables.fused, tables.fused_words[0], tables.fused_words[1]
    slots, entries, lexicon = tables.slots, tables.entries, tables.lexicon
    codes, token_starts, token_ends, hashes = output.codes, output.token_starts, output.token_ends, output.hashes
    texts, text_ends, firsts, lasts, pending = output.starts, output.ends, output.first, output.last, work.pending
    start, number, waiting = work.cursor[AT_OUTPUT], work.cursor[AT_TOKEN], 0
    for row in rows:
        source = data[starts[row] : ends[row]]
        end, begin, value, token = start, start, 0, number
        before, first, word_start, word_value = 0, 0, start, 0
        intact, is_ascii = True, True
        for index in range(source.shape[0] + 1):
            character: Int = SPACE | FUSED_SPACE  # The end of the text is as good as a space.
            if index < source.shape[0]:
                code = np.int64(source[at(index)])
                if code >= 128:
                    is_ascii = False
                    break
                character = np.int64(fused[at(code)])
                if character < 0:
                    continue
            role, gap = (character >> FUSED_ROLE) & 3, character & FUSED_SPACE != 0
            if before == 0:
                first, word_start, word_value, intact = role, end, value, True
            elif role == 0 and first == 2 and intact and end - word_start <= longest:
                entry = find_entry(slots, entries, lexicon, operation, codes, word_start, end)
                if entry >= 0:
                    end, value, gap = word_start, word_value, True
            before = role
            if gap and end > begin:
                token_starts[at(token)], token_ends[at(token)], hashes[at(token)] = begin, end, value
                token += 1
                codes[at(end)] = SPACE
                end += 1
                begin, value = end, 0
            if character & FUSED_DELETED:
                intact = False
            elif character & FUSED_SPACE == 0:
                codes[at(end)] = character & 127
                value = hash_step(value, character & 127)
                end += 1
        if is_ascii:
            end -= end > start
            texts[at(row)], text_ends[at(row)], firsts[at(row)], lasts[at(row)] = start, end, number, token
            start, number = end, token
        else:
            pending[at(waiting)] = row
            waiting += 1
    work.cursor[AT_OUTPUT], work.cursor[AT_TOKEN], work.cursor[AT_PENDING] = start, number, waiting


@kernel
def normalize_texts(data: Codes, starts: Counts, ends: Counts, rows: Counts, tables: Tables, output: Output, work: Work) -> None:
    """Bring rows through a program, one operation after the other."""
    operations, pages, cells, slots, entries, lexicon = tables.operations, tables.pages, tables.cells, tables.slots, tables.entries, tables.lexicon
    spill, spill_offsets = tables.spill, tables.spill_offsets
    text, spare, pending, requests, cursor = work.scratch, work.spare, work.pending, work.requests, work.cursor
    codes, token_starts, token_ends, hashes = output.codes, output.token_starts, output.token_ends, output.hashes
    place, token, waiting = cursor[AT_OUTPUT], cursor[AT_TOKEN], 0
    status, number = DONE, 0
    while number < rows.shape[0]:
        row = rows[at(number)]
        if ends[at(row)] - starts[at(row)] > text.shape[0]:
            status = SCRATCH_FULL
            break
        source = data[starts[row] : ends[row]]
        length = source.shape[0]
        together = np.int64(0)
        for index in range(length):
            together |= np.int64(source[index])
            text[index] = source[index]
        is_ascii = bool(together < 128)
        cutter = -1
        for operation in range(operations.shape[0]):
            kind, table = operations[operation, 0], operations[operation, 1]
            if kind == MAP and is_ascii and operations[operation, 3]:
                length = map_ascii(text, length, cells, np.int64(pages[table, 0]) << 8)
                continue
            if kind == MAP:
                spare[:length] = text[:length]
                mapped = map_span(text, 0, spare, 0, length, pages, cells, table, spill, spill_offsets)
                if mapped in (UNSEEN, MET_ODD):
                    filled = pages_are_filled(spare, length, pages, table, requests, cursor)
                    mapped = map_words(text, spare, length, operation, tables, work) if filled else PENDING
                length, is_ascii = mapped, False
            elif not is_ascii and kind in (WORDS, TOKENS) and not pages_are_filled(text, length, pages, table, requests, cursor):
                length = PENDING
            elif kind == WORDS:
                length = replace_words(text, length, operations[operation, 2], operation, pages, cells, table, slots, entries, lexicon, spare)
                is_ascii = is_ascii and bool(operations[operation, 3])
            elif kind >= TOKENS:
                cutter = operation
            else:
                length = change_whitespace(text, length, kind, pages, cells, table)
            if length < 0:
                break
        if length == NO_ROOM:
            status = SCRATCH_FULL
            break
        if length == PENDING:
            pending[waiting] = row
            waiting += 1
            number += 1
            continue
        if place + length >= codes.shape[0]:
            status = OUTPUT_FULL
            break
        if cutter >= 0 and token + length >= hashes.shape[0]:
            status = TOKENS_FULL
            break
        table, last, end = operations[cutter, 1], token, place + length
        if cutter >= 0 and operations[cutter, 0] == WORD_TOKENS:
            end, last = squeeze_and_cut(text, length, codes, place, pages, cells, table, token_starts, token_ends, hashes, token)
        else:
            codes[place:end] = text[:length]
            if cutter >= 0:
                last = cut_tokens(codes, place, end, pages, cells, table, token_starts, token_ends, hashes, token)
        output.first[row], output.last[row], output.starts[row], output.ends[row] = token, last, place, end
        token, place = last, end
        number += 1
    cursor[AT_OUTPUT], cursor[AT_TOKEN], cursor[AT_PENDING] = place, token, waiting
    cursor[STOPPED_AT], cursor[STATUS] = number, status
