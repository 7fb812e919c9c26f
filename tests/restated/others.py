"""Scorers of other shapes: numbers, containment, Chinese segments, fixed-width texts."""

import math
import re
import string
import unicodedata
from itertools import permutations

import jieba
import nltk
import regex
from punkt.data import english

from tests.restated import UNSCORED
from tests.restated.words import best_of, every, f1_of, squad, squeeze, without


def is_number(text):
    try:
        return float(text) is not None
    except ValueError:
        return False


def drop_text(text):
    def one(token):
        token = token.lower()
        token = token if is_number(token) else without(token, string.punctuation)
        token = str(float(token)) if is_number(token) else token
        return squeeze(re.sub(r"\b(a|an|the)\b", " ", token))

    return " ".join(part for part in map(one, re.split("[ -]", text)) if part)


def inspect_text(text):
    def finite(token):
        return is_number(token) and math.isfinite(float(token))

    def one(token):
        token = token.casefold()
        inner = token.strip(string.whitespace + string.punctuation)
        token = token if finite(token) else inner if finite(inner) else without(token, string.punctuation)
        token = str(float(token)) if finite(token) else token
        return squeeze(re.sub(r"\b(a|an|the)\b", " ", token))

    return " ".join(part for part in map(one, re.split("[ -]", text)) if part)


def set_f1(predicted, gold):
    predicted, gold = set(predicted.split()), set(gold.split())
    precision = len(predicted & gold) / len(predicted) if predicted else 1.0
    recall = len(predicted & gold) / len(gold) if gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def drop_f1(predicted, gold):
    numbers = {word for word in gold.split() if is_number(word)}
    return 0.0 if numbers and not numbers & set(predicted.split()) else set_f1(predicted, gold)


def drop_spans(predicted, gold):
    """Score lists of spans by trying every alignment."""
    predicted, gold = [drop_text(text) for text in predicted], [drop_text(text) for text in gold]
    size = max(len(predicted), len(gold))
    table = [[drop_f1(p, g) if p is not None and g is not None else 0.0 for p in padded(predicted, size)] for g in padded(gold, size)]
    total = max((sum(table[row][column] for row, column in enumerate(order)) for order in permutations(range(size))), default=0.0)
    return float(set(predicted) == set(gold) and len(predicted) == len(gold)), round(total / size, 2) if size else math.nan


def padded(texts, size):
    return texts + [None] * (size - len(texts))


def drop(bare, digits):
    def score(prediction, references):
        kept = [text for text in references if text.strip()]
        if not kept:
            return bare
        left = drop_text(prediction)
        em = max(float(left == drop_text(text)) for text in kept)
        return em, max(digits(drop_f1(left, drop_text(text))) for text in kept)

    return score


def drop_together(prediction, references):
    return drop_spans([prediction], references) if references else (0.0, 0.0)


def inspect_ai(prediction, references):
    pairs = [(inspect_text(prediction), inspect_text(text)) for text in references if text.strip()]
    return max((float(p == g) for p, g in pairs), default=0.0), round(max((set_f1(p, g) for p, g in pairs), default=0.0), 2)


def inside(normalize, prepare=every):
    return lambda prediction, references: (float(any(normalize(text) in normalize(prepare(prediction)) for text in references)), None)


def alce_output(text):
    text = text.strip().split("\n")[0].replace("<|im_end|>", "")
    text = re.sub(r"\[\d+", "", re.sub(r" \[\d+", "", text))
    return text.replace(" |", "").replace("]", "")


def popqa(prediction, references):
    return float(any(text in prediction or text.lower() in prediction or text.capitalize() in prediction for text in references)), None


def has_answer(prediction, references):
    def cut(text):
        found = regex.findall(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]", unicodedata.normalize("NFD", text))
        return "\0".join(["", *(token.lower() for token in found), ""])

    return float(any(cut(text) in cut(prediction) or cut(text) == "\0" for text in references)), None


def exact(*changes):
    def normalize(text):
        for change in changes:
            text = change(text)
        return text.rstrip("\0")

    return best_of(normalize, has_f1=False)


def lower(text):
    return text.lower()[: len(text)]


def no_marks(text):
    return without(text, string.punctuation)


def no_digits(text):
    return without(text, "0123456789")


def no_match(pattern):
    return lambda text: re.sub(pattern, "", text)


CMRC = "-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』"
LONGBENCH = string.punctuation + (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)


def longbench_zh(text):
    return "".join(without(text.lower(), LONGBENCH).split())


def jieba_f1(prediction, references):
    def cut(text):
        return [word for word in map(longbench_zh, jieba.cut(text, cut_all=False)) if word]

    return None, max((f1_of(cut(prediction), cut(text), 0.0) for text in references), default=0.0)


def _sentence_tokenizer():
    parameters = nltk.tokenize.punkt.PunktParameters()
    parameters.abbrev_types = set(english.ABBREV_TYPES)
    parameters.collocations = set(english.COLLOCATIONS)
    parameters.sent_starters = set(english.SENT_STARTERS)
    parameters.ortho_context.update(english.ORTHO_CONTEXT)
    return nltk.tokenize.punkt.PunktSentenceTokenizer(parameters)


SENTENCES, WORDS = _sentence_tokenizer(), nltk.tokenize.NLTKWordTokenizer()


def cmrc(prediction, references):
    if not references:
        return UNSCORED

    def clean(text):
        return without(text.lower().strip(), CMRC)

    def segments(text):
        found, run = [], ""
        for character in [*clean(text), None]:
            if character is None or "\u4e00" <= character <= "\u9fa5":
                found += [word for sentence in SENTENCES.tokenize(run) for word in WORDS.tokenize(sentence)] if run else []
                run = ""
                found += [character] if character else []
            else:
                run += character
        return found

    def f1(text):
        left, right = segments(prediction), segments(text)
        runs = [
            size
            for size in range(1, len(left) + 1)
            for i in range(len(left) - size + 1)
            for j in range(len(right) - size + 1)
            if left[i : i + size] == right[j : j + size]
        ]
        if not runs:
            return 0.0
        precision, recall = max(runs) / len(left), max(runs) / len(right)
        return 2 * precision * recall / (precision + recall)

    return max(float(clean(prediction) == clean(text)) for text in references), max(map(f1, references))


DROP = drop((0.0, 0.0), lambda value: round(value, 2))
SCORERS = {
    **dict.fromkeys(("drop_allennlp", "drop_lm_eval"), DROP),
    "drop_simple_evals": drop(UNSCORED, lambda value: round(value * 100, 2) / 100),
    "drop_allennlp_multispan": drop_together,
    "inspect_ai": inspect_ai,
    "asqa_str_em": inside(squad),
    "alce_str_em": inside(squad, alce_output),
    "selfrag_match": inside(every),
    "popqa": popqa,
    "dpr_fid_has_answer": has_answer,
    "hf_exact_match": exact(),
    "hf_exact_match.ignore_case": exact(lower),
    "hf_exact_match.ignore_punctuation": exact(no_marks),
    "hf_exact_match.ignore_numbers": exact(no_digits),
    **dict.fromkeys(("hf_exact_match.ignore_case_punctuation", "lm_eval_triviaqa"), exact(lower, no_marks)),
    "hf_exact_match.all": exact(lower, no_marks, no_digits),
    "hf_exact_match.regex_articles": exact(no_match(r"\b(?:a|an|the)\b "), lower, no_marks),
    "lm_eval_nq_open": exact(no_match(r"\b(?:The |the |An |A |a |an )"), lower, no_marks),
    "longbench_qa_f1_zh": jieba_f1,
    "infinitebench_qa_f1_zh": best_of(longbench_zh, every, has_em=False, bare=(None, 0.0)),
    "cmrc2018": cmrc,
}
