"""Compiled kernels: texts through steps, and tokens against tokens.

One text at a time goes through all operations of a program inside one
scratch buffer that stays in the processor's cache; only the result is
written out. The operations are numbers (see `program.py`), their data are
tables filled by the steps' own functions (see `character_tables.py`). A
kernel never guesses: a character without a table page, or a word whose
characters look at their neighbours, is requested from Python, and the text
is left pending until the answer is in the tables.
"""

from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.uint32]
Cells = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]

MAP, WORDS, SQUEEZE, STRIP, REMOVE, TOKENS = range(6)  # Kinds of operation.
DELETE, ODD, FIRST_SPILL = -1, -2, -3  # Cells of a MAP table that are no code point; FIRST_SPILL - i is expansion i.
UNFILLED = -(1 << 30)
BETWEEN, JOINS, ALONE = range(3)  # Roles of a character for a tokenizer.
DONE, OUTPUT_FULL, TOKENS_FULL, SCRATCH_FULL, MALFORMED = range(5)  # Why a kernel came back.
PENDING, NO_ROOM = -1, -2
NO_TEXT = -(1 << 40)
NEED_PAGE, NEED_WORD = range(2)
SPACE = 32
AT_OUTPUT, AT_TOKEN, AT_PENDING, AT_REQUEST, AT_REQUEST_CODE, STOPPED_AT, STATUS = range(7)  # Places of a cursor.


class Tables(NamedTuple):
    """The data of a program.

    `operations` has a row an operation: kind, table, longest word or
    expansion, whether ASCII stays one ASCII character or nothing. `pages`
    leads from table and code >> 8 to a block of 256 `cells`. The lexicon is
    one open-addressing table for word lists and odd words alike: an entry
    belongs to an operation and replaces a word by a text.
    """

    operations: Counts
    pages: Cells
    cells: Cells
    spill: Codes
    spill_offsets: Counts
    slots: Counts
    entries: Counts
    lexicon: Codes


class Output(NamedTuple):
    """Texts and their tokens: row r is codes[starts[r]:ends[r]], its tokens first[r] .. last[r]."""

    codes: Codes
    starts: Counts
    ends: Counts
    first: Counts
    last: Counts
    token_starts: Counts
    token_ends: Counts
    hashes: Cells


class Work(NamedTuple):
    """What a kernel writes on: scratch, the rows left pending, and requests to Python."""

    scratch: Codes
    spare: Codes
    pending: Counts
    requests: Counts
    request_codes: Codes
    cursor: Counts


class TokenTable(NamedTuple):
    """A hash table that is emptied by raising its generation."""

    generation: Counts
    stamps: Counts
    tokens: Counts
    counts: Counts
    pair_stamps: Counts
    used: Counts


at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.
kernel = numba.njit(cache=True, nogil=True, boundscheck=False)


@kernel
def hash_step(value: int, code: int) -> int:
    return ((value ^ code) * 16777619) & 0x7FFFFFFF


@kernel
def cell(pages: Cells, cells: Cells, table: int, code: int) -> int:
    """Look a character up, in a page that is known to be filled."""
    return np.int64(cells[at((np.int64(pages[at(table), at(code >> 8)]) << 8) | (code & 255))])


@kernel
def pages_are_filled(text: Codes, length: int, pages: Cells, table: int, requests: Counts, cursor: Counts) -> bool:
    """Tell whether every character has its page, and request those that are missing."""
    filled = True
    for index in range(length):
        page = np.int64(text[at(index)]) >> 8
        if pages[at(table), at(page)] < 0:
            filled = False
            number = cursor[AT_REQUEST]
            if number < requests.shape[0]:
                requests[number, 0] = NEED_PAGE
                requests[number, 1] = table
                requests[number, 2] = page
                cursor[AT_REQUEST] = number + 1
    return filled


@kernel
def request_word(requests: Counts, request_codes: Codes, cursor: Counts, operation: int, codes: Codes, start: int, end: int) -> None:
    number, place = cursor[AT_REQUEST], cursor[AT_REQUEST_CODE]
    if number < requests.shape[0] and place + end - start <= request_codes.shape[0]:
        for index in range(end - start):
            request_codes[at(place + index)] = codes[at(start + index)]
        requests[number, 0] = NEED_WORD
        requests[number, 1] = operation
        requests[number, 2] = place
        requests[number, 3] = place + end - start
        cursor[AT_REQUEST] = number + 1
        cursor[AT_REQUEST_CODE] = place + end - start


@kernel
def find_entry(slots: Counts, entries: Counts, lexicon: Codes, operation: int, codes: Codes, start: int, end: int) -> int:
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
def map_ascii(text: Codes, length: int, cells: Cells, base: int) -> int:
    """Map a text of ASCII characters of which each stays one or is deleted."""
    end = 0
    for index in range(length):
        value = cells[at(base + np.int64(text[at(index)]))]
        text[at(end)] = value
        end += value >= 0
    return end


@kernel
def map_simple(text: Codes, length: int, pages: Cells, cells: Cells, table: int) -> int:
    """Map a text as long as each character stays one or is deleted; -1 - length at the first that does not."""
    for index in range(length):
        if cell(pages, cells, table, np.int64(text[at(index)])) <= ODD:
            return -1 - length
    end = 0
    for index in range(length):
        value = cell(pages, cells, table, np.int64(text[at(index)]))
        text[at(end)] = max(value, 0)
        end += value >= 0
    return end


@kernel
def map_words(text: Codes, source: Codes, length: int, operation: int, tables: Tables, work: Work) -> int:
    """Map a text with expansions or odd characters; a word with an odd one is looked up as a whole."""
    table = tables.operations[operation, 1]
    pages, cells = tables.pages, tables.cells
    missing = False
    end, start = 0, 0
    source[:length] = text[:length]
    while start < length:
        stop, odd = start, False
        while stop < length and source[at(stop)] != SPACE:
            if cell(pages, cells, table, np.int64(source[at(stop)])) == ODD:
                odd = True
            stop += 1
        if odd:
            entry = find_entry(tables.slots, tables.entries, tables.lexicon, operation, source, start, stop)
            if entry < 0:
                missing = True
                request_word(work.requests, work.request_codes, work.cursor, operation, source, start, stop)
            else:
                end = write_span(text, end, tables.lexicon, tables.entries[at(entry), 2], tables.entries[at(entry), 3])
        else:
            stop = min(stop + 1, length)
            end = map_span(text, end, source, start, stop, tables, table)
        if end < 0:
            return end
        start = stop
    return PENDING if missing else end


@kernel
def map_span(text: Codes, end: int, source: Codes, start: int, stop: int, tables: Tables, table: int) -> int:
    """Map source[start:stop] without odd characters to text[end:]; give the new end, or NO_ROOM."""
    for index in range(start, stop):
        value = cell(tables.pages, tables.cells, table, np.int64(source[at(index)]))
        if value >= 0:
            if end >= text.shape[0]:
                return NO_ROOM
            text[at(end)] = value
            end += 1
        elif value <= FIRST_SPILL:
            spill = FIRST_SPILL - value
            end = write_span(text, end, tables.spill, tables.spill_offsets[at(spill)], tables.spill_offsets[at(spill + 1)])
            if end < 0:
                return end
    return end


@kernel
def write_span(text: Codes, end: int, source: Codes, first: int, last: int) -> int:
    """Write source[first:last] to text[end:]; give the new end, or NO_ROOM."""
    if end + last - first > text.shape[0]:
        return NO_ROOM
    for place in range(first, last):
        text[at(end)] = source[at(place)]
        end += 1
    return end


@kernel
def replace_words(
    text: Codes, length: int, longest: int, operation: int, pages: Cells, cells: Cells, table: int, slots: Counts, entries: Counts, lexicon: Codes, spare: Codes
) -> int:
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
def change_whitespace(text: Codes, length: int, kind: int, pages: Cells, cells: Cells, table: int) -> int:
    if kind == STRIP:
        start = 0
        while start < length and cell(pages, cells, table, np.int64(text[at(start)])) > 0:
            start += 1
        while length > start and cell(pages, cells, table, np.int64(text[at(length - 1)])) > 0:
            length -= 1
        if start > 0:
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
    codes: Codes, start: int, end: int, pages: Cells, cells: Cells, table: int, token_starts: Counts, token_ends: Counts, hashes: Cells, number: int
) -> int:
    """Write the tokens of codes[start:end] after the ones there are; give their new number.

    The token being read is written at every character and counted at its
    end: without branches, because where words end cannot be predicted.
    """
    first, value, before = start, 0, BETWEEN
    for index in range(start, end):
        code = np.int64(codes[at(index)])
        role = cell(pages, cells, table, code)
        goes_on = (role == JOINS) & (before == JOINS)
        token_starts[at(number)] = first
        token_ends[at(number)] = index
        hashes[at(number)] = value
        number += (before != BETWEEN) & (not goes_on)
        first = first if goes_on else index
        value = hash_step(value if goes_on else 0, code)
        before = role
    token_starts[at(number)] = first
    token_ends[at(number)] = end
    hashes[at(number)] = value
    return number + (before != BETWEEN)


@kernel
def decode_utf8(data: npt.NDArray[np.uint8], scratch: Codes) -> int:
    """Decode bytes to code points, lone surrogates in their three-byte form included; -1 for anything else."""
    size = data.shape[0]
    index, end = 0, 0
    while index < size:
        lead = np.int64(data[at(index)])
        if lead < 0x80:
            code, more, least = lead, 0, 0
        elif 0xC2 <= lead < 0xE0:
            code, more, least = lead & 0x1F, 1, 0x80
        elif 0xE0 <= lead < 0xF0:
            code, more, least = lead & 0x0F, 2, 0x800
        elif 0xF0 <= lead < 0xF5:
            code, more, least = lead & 0x07, 3, 0x10000
        else:
            return -1
        if index + more >= size:
            return -1
        for following in range(more):
            byte = np.int64(data[at(index + 1 + following)])
            if byte & 0xC0 != 0x80:
                return -1
            code = (code << 6) | (byte & 0x3F)
        if code < least or code > 0x10FFFF:
            return -1
        scratch[at(end)] = code
        end += 1
        index += more + 1
    return end


@kernel
def fill_scratch(scratch: Codes, source: npt.NDArray[np.uint32] | npt.NDArray[np.uint8]) -> int:
    """Put a text of UTF-8 or of code points into the scratch buffer; give its length, -1 - length where it is not ASCII, or NO_TEXT."""
    size = source.shape[0]
    together = np.int64(0)
    for index in range(size):
        together |= np.int64(source[at(index)])
    if together >= 128 and source.itemsize == 1:
        length = decode_utf8(source, scratch)
        return -1 - length if length >= 0 else NO_TEXT
    for index in range(size):
        scratch[at(index)] = source[at(index)]
    return size if together < 128 else -1 - size


@kernel
def normalize_texts(data: npt.NDArray[np.uint8] | Codes, starts: Counts, ends: Counts, rows: Counts, tables: Tables, output: Output, work: Work) -> None:
    """Bring rows of UTF-8 or of code points through a program."""
    operations, pages, cells, slots, entries, lexicon = tables.operations, tables.pages, tables.cells, tables.slots, tables.entries, tables.lexicon
    text, spare, pending, requests, cursor = work.scratch, work.spare, work.pending, work.requests, work.cursor
    codes, token_starts, token_ends, hashes = output.codes, output.token_starts, output.token_ends, output.hashes
    place, token, waiting = cursor[AT_OUTPUT], cursor[AT_TOKEN], 0
    status, number = DONE, 0
    while number < rows.shape[0]:
        row = rows[at(number)]
        if ends[at(row)] - starts[at(row)] > text.shape[0]:
            status = SCRATCH_FULL
            break
        length = fill_scratch(text, data[starts[at(row)] : ends[at(row)]])
        if length == NO_TEXT:
            status = MALFORMED
            break
        is_ascii = length >= 0
        if not is_ascii:
            length = -1 - length
        cutter = -1
        for operation in range(operations.shape[0]):
            kind, table = operations[operation, 0], operations[operation, 1]
            if kind == MAP and is_ascii and operations[operation, 3]:
                length = map_ascii(text, length, cells, np.int64(pages[table, 0]) << 8)
                continue
            if not is_ascii and not pages_are_filled(text, length, pages, table, requests, cursor):
                length = PENDING
                break
            if kind == MAP:
                mapped = map_simple(text, length, pages, cells, table)
                length = mapped if mapped >= 0 else map_words(text, spare, length, operation, tables, work)
                is_ascii = False
            elif kind == WORDS:
                length = replace_words(text, length, operations[operation, 2], operation, pages, cells, table, slots, entries, lexicon, spare)
                is_ascii = is_ascii and operations[operation, 3] > 0
            elif kind == TOKENS:
                cutter = table
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
        if place + length > codes.shape[0]:
            status = OUTPUT_FULL
            break
        for index in range(length):
            codes[at(place + index)] = text[at(index)]
        if cutter >= 0:
            if token + length >= hashes.shape[0]:
                status = TOKENS_FULL
                break
            last = cut_tokens(codes, place, place + length, pages, cells, cutter, token_starts, token_ends, hashes, token)
            output.first[at(row)] = token
            output.last[at(row)] = last
            token = last
        output.starts[at(row)] = place
        output.ends[at(row)] = place + length
        place += length
        number += 1
    cursor[AT_OUTPUT], cursor[AT_TOKEN], cursor[AT_PENDING] = place, token, waiting
    cursor[STOPPED_AT], cursor[STATUS] = number, status


@kernel
def hash_tokens(output: Output, number: int) -> None:
    """Fill in the hashes of tokens that were cut elsewhere."""
    for token in range(number):
        value = 0
        for index in range(output.token_starts[at(token)], output.token_ends[at(token)]):
            value = hash_step(value, np.int64(output.codes[at(index)]))
        output.hashes[at(token)] = value


@kernel
def same_codes(left: Codes, start: int, end: int, right: Codes, first: int, last: int) -> bool:
    if end - start != last - first:
        return False
    for index in range(end - start):
        if left[at(start + index)] != right[at(first + index)]:
            return False
    return True


@kernel
def find_token(
    stamps: Counts,
    known: Counts,
    generation: int,
    mask: int,
    codes: Codes,
    token_starts: Counts,
    token_ends: Counts,
    hashes: Cells,
    value: int,
    other: Codes,
    start: int,
    end: int,
) -> int:
    """Find the slot of the token other[start:end] with this hash among the known ones, or the free slot where it belongs."""
    slot = value & mask
    while stamps[at(slot)] == generation:
        token = at(known[at(slot)])
        if hashes[token] == value and same_codes(codes, token_starts[token], token_ends[token], other, start, end):
            return slot
        slot = (slot + 1) & mask
    return slot


@kernel
def table_mask(tokens: int, room: int) -> int:
    """Give the mask of a table with at least two slots a token, -1 when there is no room for it."""
    size = 16
    while size < 2 * tokens:
        size *= 2
    return size - 1 if size <= room else -1


@kernel
def keep_distinct(output: Output, start: int, table: TokenTable) -> int:
    """Keep only the first of equal tokens in every row from `start` on; give the row it stopped at for want of room."""
    codes, token_starts, token_ends, hashes = output.codes, output.token_starts, output.token_ends, output.hashes
    stamps, known = table.stamps, table.tokens
    generation = table.generation[0]
    row = start
    while row < output.first.shape[0]:
        first, last = output.first[row], output.last[row]
        mask = table_mask(last - first, stamps.shape[0])
        if mask < 0:
            break
        generation += 1
        kept = first
        for token in range(first, last):
            begin, stop, value = token_starts[at(token)], token_ends[at(token)], np.int64(hashes[at(token)])
            slot = find_token(stamps, known, generation, mask, codes, token_starts, token_ends, hashes, value, codes, begin, stop)
            if stamps[at(slot)] != generation:
                stamps[at(slot)] = generation
                known[at(slot)] = kept
                token_starts[at(kept)] = begin
                token_ends[at(kept)] = stop
                hashes[at(kept)] = value
                kept += 1
        output.last[row] = kept
        row += 1
    table.generation[0] = generation
    return row


@kernel
def count_common(
    predictions: Output,
    references: Output,
    prediction: Counts,
    reference: Counts,
    table: TokenTable,
    start: int,
    equal: npt.NDArray[np.float64],
    counted: Counts,
) -> int:
    """Compare pairs from `start` on: equality, and common, predicted and gold tokens as bags.

    Gives the pair it stopped at for want of room in the table. The table
    keeps the tokens of a prediction while its references pass by.
    """
    codes, token_starts, token_ends, hashes = predictions.codes, predictions.token_starts, predictions.token_ends, predictions.hashes
    gold_codes, gold_starts, gold_ends, gold_hashes = references.codes, references.token_starts, references.token_ends, references.hashes
    stamps, known, counts, pair_stamps, used = table.stamps, table.tokens, table.counts, table.pair_stamps, table.used
    text_starts, text_ends, firsts, lasts = predictions.starts, predictions.ends, predictions.first, predictions.last
    gold_text_starts, gold_text_ends, gold_firsts, gold_lasts = references.starts, references.ends, references.first, references.last
    generation = table.generation[0]
    inside, mask = -1, 0
    pair = start
    while pair < prediction.shape[0]:
        left, right = prediction[pair], reference[pair]
        first, last = firsts[left], lasts[left]
        counted[1, pair] = last - first
        if right < 0:
            equal[pair] = 1.0 if text_starts[left] == text_ends[left] else 0.0
            pair += 1
            continue
        gold_first, gold_last = gold_firsts[right], gold_lasts[right]
        counted[2, pair] = gold_last - gold_first
        if same_codes(codes, text_starts[left], text_ends[left], gold_codes, gold_text_starts[right], gold_text_ends[right]):
            equal[pair] = 1.0
            counted[0, pair] = last - first
            pair += 1
            continue
        if inside != left:
            mask = table_mask(last - first, stamps.shape[0])
            if mask < 0:
                break
            generation += 1
            inside = left
            for token in range(first, last):
                value = np.int64(hashes[at(token)])
                slot = find_token(
                    stamps, known, generation, mask, codes, token_starts, token_ends, hashes, value, codes, token_starts[at(token)], token_ends[at(token)]
                )
                if stamps[at(slot)] != generation:
                    stamps[at(slot)] = generation
                    known[at(slot)] = token
                    counts[at(slot)] = 0
                    pair_stamps[at(slot)] = -1
                counts[at(slot)] += 1
        common = 0
        for token in range(gold_first, gold_last):
            value = np.int64(gold_hashes[at(token)])
            slot = find_token(
                stamps, known, generation, mask, codes, token_starts, token_ends, hashes, value, gold_codes, gold_starts[at(token)], gold_ends[at(token)]
            )
            if stamps[at(slot)] == generation:
                if pair_stamps[at(slot)] != pair:
                    pair_stamps[at(slot)] = pair
                    used[at(slot)] = 0
                if used[at(slot)] < counts[at(slot)]:
                    used[at(slot)] += 1
                    common += 1
        counted[0, pair] = common
        pair += 1
    table.generation[0] = generation
    return pair
