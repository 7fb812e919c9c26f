"""Which preset a file asks for, and why."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from evalcore.analysis.kinds import script, word_count
from evalcore.dataset import Dataset
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset as preset_named
from evalcore.scoring.presets import presets as all_presets
from evalcore.scoring.presets.finding import language_name
from evalcore.text.columns import Texts

USUAL = "squad_v1"
SAMPLED = 400  # Items looked at; more do not change what most of them are.
MOST = 0.6  # The share of the items that must be of one kind.
SHORT = 200  # A metadata value longer than this names no data set.
LONG_REFERENCE, LONG_PREDICTION = 8, 4  # In words; the second is times the words of the references.
BESIDE = ("squad_v1", "triviaqa", "hf_exact_match.ignore_case_punctuation", "raw", "dpr_fid_has_answer", "popqa")

ALIASES = {"squad": "SQuAD 1.1", "dev v1 1": "SQuAD 1.1", "dev v2 0": "SQuAD 2.0", "squad2": "SQuAD 2.0", "squadv2": "SQuAD 2.0", "squad v2": "SQuAD 2.0"}
ALIASES |= {"nq": "NQ-Open", "natural questions": "NaturalQuestions", "hotpot": "HotpotQA", "2wiki": "2WikiMultihopQA", "web questions": "WebQuestions"}
ALIASES |= {"tydiqa": "TyDiQA-GoldP", "cmrc": "CMRC 2018", "korquad": "KorQuAD 1.0", "mmlu pro": "MMLU-Pro", "mmlupro": "MMLU-Pro", "trivia qa": "TriviaQA"}
NEEDS_EXACT = {"DROP", "MATH", "KILT"}  # Ordinary words: they count only where they stand alone as a value or begin a file's name.
BY_LANGUAGE = {"zh": "mlqa_zh", "ja": "jglue_jsquad", "ko": "korquad_v1", "ar": "mlqa_ar", "hi": "mlqa_hi", "vi": "mlqa_vi"}
BY_LANGUAGE |= dict.fromkeys(("ru", "th", "el", "bn", "te"), "xtreme_xquad_tydiqa")
SCRIPTS = {"Han": "zh", "Japanese": "ja", "Hangul": "ko", "Arabic": "ar", "Devanagari": "hi", "Cyrillic": "ru", "Thai": "th", "Greek": "el", "Bengali": "bn"}
SCRIPTS |= {"Telugu": "te"}
_VIETNAMESE = re.compile("[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)
_LETTER = re.compile(r"\(?[A-J]\)?\.?")
_MARKED = re.compile(r"(?i)answer\s*:")
_NUMBER = re.compile(r"[-+−]?[$€£¥]?\d[\d,.]*%?")


@dataclass(frozen=True)
class Suggestion:
    """A preset with the reason in one line, others to see beside it, and what speaks against EM on these data."""

    preset: str
    because: str
    beside: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()


def suggest(data: Dataset, names: Iterable[str] = ()) -> Suggestion:
    """Suggest a preset from names of files and columns, items without answer, what the answers look like, and their script.

    `names`: further names to look at, such as those of the files.

    >>> suggest(Dataset.of(["Paris"], [["Paris"]]), ["hotpot_dev.json"]).because
    'the name hotpot_dev.json speaks of HotpotQA'
    """
    looked = _Looked(data)
    named = _named((*names, data.name, *data.metadata, *_values(data)), looked.language)
    chosen, because = named or looked.by_answers() or looked.by_language() or (USUAL, "nothing in the data asks for another one, and most work uses it")
    if looked.without and looked.kept and preset_named(chosen).no_references == "unscored" and chosen in ("squad_v1", "hf_squad"):
        items = f"items without a reference ({looked.without:,})"
        chosen, because = "squad_v2", f"{f'{because}, and ' if named else ''}of {items}: here an empty prediction is right for them"
    return Suggestion(chosen, because, _beside(chosen, looked.language), looked.cautions())


def _beside(chosen: str, language: str) -> tuple[str, ...]:
    """Choose a handful of presets whose numbers tell most beside those of the chosen one."""
    usual = BESIDE if language == "en" else (BY_LANGUAGE.get(language, USUAL), *BESIDE)
    return tuple(dict.fromkeys((chosen, *usual)))[:7]


def _values(data: Dataset) -> list[str]:
    """Give the values of metadata columns that hold few, such as "dataset" or "task"."""
    found: list[str] = []
    for column in data.metadata.values():
        distinct = {text for text in _sample(column) if text is not None}
        if len(distinct) <= 3:
            found += [text for text in sorted(distinct) if len(text) <= SHORT]
    return found


def _sample(column: Texts) -> list[str | None]:
    rows = np.linspace(0, len(column) - 1, min(SAMPLED, len(column))).astype(np.int64)
    return list(column.take(rows))


def _plain(name: str) -> str:
    """Give the words of a name, single spaces between them and around."""
    return f" {' '.join(re.findall('[a-z]+|[0-9]+', name.casefold()))} "


def _known() -> dict[str, str]:
    """Give the names data sets go by, in plain words, the longest first."""
    named = {_plain(dataset): dataset for preset in all_presets() for dataset in preset.datasets}
    named |= {_plain(alias): dataset for alias, dataset in ALIASES.items()}
    return dict(sorted(named.items(), key=lambda entry: -len(entry[0])))


def _named(names: Iterable[str], language: str) -> tuple[str, str] | None:
    """Find the first name that speaks of a data set some preset is made for."""
    known = _known()
    for name in names:
        words = _plain(name[:SHORT].removesuffix(".gz"))
        for plain, dataset in known.items():
            if dataset in NEEDS_EXACT and not words.startswith(plain):
                continue
            if plain in words:
                return _preset_for(dataset, language).name, f"the name {name[:60]} speaks of {dataset}"
    return None


def _preset_for(dataset: str, language: str) -> Preset:
    """Choose among the presets for a data set: its language first, then one with EM and F1, then the one most its own, then the first listed."""

    def rank(preset: Preset) -> tuple[bool, bool, int, int]:
        foreign = bool(preset.languages) and language not in preset.languages
        return foreign, not (preset.has_em and preset.has_f1), preset.datasets.index(dataset), len(preset.datasets)

    return min((preset for preset in all_presets() if dataset in preset.datasets), key=rank)


class _Looked:
    """What some of the items look like."""

    def __init__(self, data: Dataset) -> None:
        counts = data.references.counts()
        self.without = int((counts == 0).sum())
        self.kept = len(counts) - self.without
        rows = np.flatnonzero(counts)
        rows = rows[np.linspace(0, len(rows) - 1, min(SAMPLED, len(rows))).astype(np.int64)]
        self.references = [text or "" for text in data.references.texts.take(data.references.offsets[:-1][rows])]
        self.predictions = [text or "" for text in data.predictions.take(rows)]
        self.language, self.written = self._language()

    def _share(self, fits: Sequence[bool]) -> float:
        return sum(fits) / len(fits) if fits else 0.0

    def _language(self) -> tuple[str, str]:
        """Give the language most references are in, as far as their script tells, and that script."""
        scripts = Counter(script(text) for text in self.references)
        del scripts["no letters"]
        if not scripts:
            return "en", ""
        most, items = scripts.most_common(1)[0]
        if items < MOST * scripts.total():
            return "en", ""
        if most == "Han" and scripts["Japanese"]:
            most = "Japanese"
        if most == "Latin" and self._share([bool(_VIETNAMESE.search(text)) for text in self.references]) > 0.3:
            return "vi", "Vietnamese letters"
        return SCRIPTS.get(most, "en"), f"{most} script"

    def by_answers(self) -> tuple[str, str] | None:
        """Suggest by the form of references and predictions."""
        if self._share(["\\boxed" in text for text in self.predictions]) >= MOST:
            return "hendrycks_math.boxed_is_equiv", "most predictions hold their answer in \\boxed{}"
        if self._share([bool(_LETTER.fullmatch(text.strip())) for text in self.references]) >= MOST:
            if self._share([bool(_MARKED.search(text)) for text in self.predictions]) >= MOST:
                return "inspect.answer_letter", "most references are one letter of a choice, and predictions mark theirs with ANSWER:"
            return "mmlu_pro.l2", "most references are one letter of a choice, and predictions name theirs in any form"
        if self._share(["####" in text for text in self.predictions]) >= MOST:
            return "lm_eval.gsm8k.strict-match", "most predictions mark their answer with ####"
        numbers = self._share([bool(_NUMBER.fullmatch(text.strip())) for text in self.references]) >= MOST
        if numbers and self._words(self.predictions) > LONG_REFERENCE:
            return "lm_eval.gsm8k.flexible-extract", "most references are numbers, and predictions hold them in a text"
        if any(text == "CANNOTANSWER" for text in self.references):
            return "quac", "references say CANNOTANSWER"
        return None

    def by_language(self) -> tuple[str, str] | None:
        """Suggest by the language of the references."""
        if self.language not in BY_LANGUAGE:
            return None
        return BY_LANGUAGE[self.language], f"most references are in {self.written}, read as {language_name(self.language)}"

    def _words(self, texts: list[str]) -> float:
        return median(word_count(text) for text in texts) if texts else 0.0

    def cautions(self) -> tuple[str, ...]:
        """Say why EM may be the wrong measure here."""
        said = []
        references, predictions = self._words(self.references), self._words(self.predictions)
        if references > LONG_REFERENCE:
            said.append(
                f"References are long ({references:g} words at the median): hardly any answer matches one exactly, "
                "so look at F1 before EM, and at ROUGE-L and chrF among the other measures on Overview."
            )
        elif predictions > LONG_PREDICTION * max(references, 1):
            said.append(
                f"Predictions are long ({predictions:g} words at the median, references {references:g}): "
                "answers in a sentence miss EM, so compare with a containment preset, or extract the answer first."
            )
        if self._share(["<think>" in text or "</think>" in text for text in self.predictions]) > 0.1:
            said.append("Predictions hold <think> blocks: take a preset that removes them, or add the step on Normalization.")
        return tuple(said)
