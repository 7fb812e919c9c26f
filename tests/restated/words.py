"""Scorers that count words after SQuAD's kind of normalization."""

import re
import string
import unicodedata
from collections import Counter

import regex

from tests.restated import UNSCORED


def squeeze(text):
    return " ".join(text.split())


def without(text, marks, new=""):
    return "".join(new if character in marks else character for character in text)


def squad(text, engine=re):
    text = without(text.lower(), string.punctuation)
    return squeeze(engine.sub(r"\b(a|an|the)\b", " ", text))


def spaced(text):
    text = without(text.lower(), string.punctuation, " ")
    return squeeze(re.sub(r"\b(a|an|the)\b", " ", text))


def triviaqa(text):
    return spaced(without(text, "_", " ").replace("‘", " ").replace("’", " ").replace("´", " "))


def korquad(text):
    text = without(text, "'\"《》<>〈〉()‘’", " ").lower()
    return squeeze(without(text, string.punctuation))


def jsquad(text):
    return squeeze(text.lower().rstrip("。"))


def drcd(text):
    text = without(text.lower(), string.punctuation + "《》？，。、；：")
    return squeeze(re.sub(r"\b(a|an|the)\b", " ", text))


MLQA_ARTICLES = {
    "en": r"\b(a|an|the)\b",
    "es": r"\b(un|una|unos|unas|el|la|los|las)\b",
    "de": r"\b(ein|eine|einen|einem|eines|einer|der|die|das|den|dem|des)\b",
    "vi": r"\b(của|là|cái|chiếc|những)\b",
    "ar": "ال",
    "ar_lm_eval": r"(^|\s)ال",
    "hi": r"(?!)",
    "zh": r"(?!)",
}


def mlqa(language):
    def normalize(text):
        text = "".join(c for c in text.lower() if not unicodedata.category(c).startswith("P") and c not in string.punctuation)
        text = re.sub(MLQA_ARTICLES[language], " ", text)
        if language == "zh":
            text = "".join(f" {c} " if "\u4e00" <= c <= "\u9fa5" else c for c in text)
        return squeeze(text)

    return normalize


def f1_of(predicted, gold, both_empty):
    common = sum((Counter(predicted) & Counter(gold)).values())
    if not predicted and not gold:
        return both_empty
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def best_of(normalize, tokens=str.split, both_empty=0.0, distinct=False, has_em=True, has_f1=True, bare=UNSCORED, gate=None):
    """Make a scorer that takes the best reference for EM and for F1."""

    def cut(text):
        return sorted(set(tokens(text))) if distinct else list(tokens(text))

    def f1(prediction, reference):
        left, right = normalize(prediction), normalize(reference)
        return 0.0 if gate and gate(left, right) else f1_of(cut(left), cut(right), both_empty)

    def score(prediction, references):
        if not references:
            return bare
        em = max(float(normalize(prediction) == normalize(reference)) for reference in references)
        return em if has_em else None, max(f1(prediction, reference) for reference in references) if has_f1 else None

    return score


def yes_no(left, right):
    return left != right and bool({left, right} & {"yes", "no", "noanswer"})


def dropping_empty(normalize, tokens=str.split):
    """Make a scorer that ignores references that normalize to nothing, as SQuAD v2."""
    inner = best_of(normalize, tokens, both_empty=1.0)
    return lambda prediction, references: inner(prediction, [reference for reference in references if normalize(reference)] or [""])


def leaving_one_out(prepare=lambda text: text):
    inner = best_of(squad, both_empty=1.0)

    def score(prediction, references):
        prediction = prepare(prediction)
        if len(references) < 2:
            return inner(prediction, references)
        rounds = [inner(prediction, references[:i] + references[i + 1 :]) for i in range(len(references))]
        return tuple(sum(numbers) / len(numbers) for numbers in zip(*rounds, strict=True))

    return score


def quac(prediction, references):
    if not references:
        return 0.0, 0.0
    silent = references.count("CANNOTANSWER")
    references = ["CANNOTANSWER"] if silent >= len(references) - silent else [text for text in references if text != "CANNOTANSWER"]

    def one(reference):
        if reference == "CANNOTANSWER":
            return (float(prediction == reference),) * 2
        return best_of(squad)(prediction, [reference])

    pairs = [one(reference) for reference in references]
    f1s = [f1 for _, f1 in pairs]
    rounds = [max(f1s[:i] + f1s[i + 1 :]) for i in range(len(f1s))] if len(f1s) > 1 else f1s
    return max(em for em, _ in pairs), sum(rounds) / len(rounds)


def kilt(prediction, references):
    if not prediction.strip():
        return 0.0, 0.0
    return best_of(squad)(prediction, [text for text in references if text.strip()])


def helm(prediction, references):
    if not prediction and references:
        return 0.0, 0.0
    return best_of(squad, distinct=True)(prediction, references)


def lm_eval_arabic(prediction, references):
    return best_of(mlqa("ar_lm_eval"))(prediction.strip(), references)


def longbench_line(prediction, references):
    return best_of(squad, has_em=False, bare=(None, 0.0))(prediction.lstrip("\n").split("\n")[0], references)


def every(text):
    return text


def no_spaces(text):
    return [character for character in text if not character.isspace()]


def by_regex(text):
    return squad(text, regex)


def orqa(text):
    return squad(unicodedata.normalize("NFD", text))


SQUAD_V1, SQUAD_V2 = best_of(squad), dropping_empty(squad)
MULTIHOP = best_of(squad, gate=yes_no, bare=(0.0, 0.0))
SCORERS = {
    **dict.fromkeys(("squad_v1", "hf_squad", "mrqa", "hf_super_glue_record", "selfrag_em_f1", "xtreme_xquad_tydiqa"), SQUAD_V1),
    **dict.fromkeys(("squad_v2", "hf_squad_v2", "transformers_squad_metrics"), SQUAD_V2),
    **dict.fromkeys(("torchmetrics_squad", "musique"), best_of(squad, both_empty=1.0)),
    **dict.fromkeys(("2wikimultihop_v1_1", "flashrag"), MULTIHOP),
    **dict.fromkeys(("dpr_nq_em", "fid_nq_em"), best_of(by_regex, has_f1=False)),
    **{f"mlqa_{language}": best_of(mlqa(language)) for language in ("en", "es", "de", "vi", "hi", "ar", "zh")},
    "hotpotqa": best_of(squad, gate=yes_no),
    "squad_spaced": best_of(spaced, both_empty=1.0, distinct=True),
    "triviaqa": best_of(triviaqa),
    "atlas_qa": best_of(by_regex),
    "orqa_nq_open": best_of(orqa, has_f1=False),
    "kilt_downstream": kilt,
    "coqa": leaving_one_out(),
    "lm_eval_coqa": leaving_one_out(lambda text: text.strip().split("\n")[0]),
    "quac": quac,
    "mlqa_ar_lm_eval": lm_eval_arabic,
    "drcd": best_of(drcd, every),
    "korquad_v1": best_of(korquad, no_spaces),
    "jglue_jsquad": dropping_empty(jsquad, every),
    "longbench_qa_f1": best_of(squad, has_em=False, bare=(None, 0.0)),
    "longbench_triviaqa": longbench_line,
    "helm": helm,
}
