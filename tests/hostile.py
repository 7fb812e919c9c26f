"""Texts that break naive code, as hypothesis strategies."""

from hypothesis import strategies as st

CHARACTERS = (
    "aAzZsSiItTheEn '\"-.,;:!?()[]{}$%^&*_+=/\\|<>`~#@09"
    "ßẞİıΣσςŒǅﬁſÅÅéèñçÑÃ"
    "ÇŠ−–—‘’“”…·、。「」《》（）！？，：；～・％"
    "北京臺灣台湾万萬０１２Ａａカガｶﾞゔㄱ각가힣각"
    "العربيةאבגदहिन्दीไทย"
    "²½Ⅳ①㎏℃™€¼"
)
INVISIBLE = (
    "\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2009\u2028\u2029\u202f\u205f\u3000"
    "\u200b\u200c\u200d\u2060\ufeff\u180e\xad\x00\u200e\u200f\u202a\u202e\u2066\u2069"
)
MARKS = "\u0300\u0301\u0307\u0308\u030a\u0323\u0327\u0344\u0345\u05b4\u064b\u0651\u0653\u093c\u094d\u0e34\u20dd\u3099\uff9e\ufe0f\u0f71\u1161\u11a8"
ASTRAL = "😀👨👩👧🏽🇩🇪𝒜𝟘𠀀𐐀𑀓𑂺"
SURROGATES = "\ud800\udbff\udc00\udfff"

WORDS = (
    "the",
    "a",
    "an",
    "The",
    "A",
    "AN",
    "theory",
    "Ben",
    "go",
    "ΟΔΟΣ",
    "Σ",
    "ΑΣ.",
    "İstanbul",
    "thé",
    "á",
    "l'a",
    "the_night",
    "A股",
    "3.0",
    "-5",
    "1,000",
    "C++",
    "",
    " ",
)

characters = st.sampled_from(CHARACTERS + INVISIBLE + MARKS + ASTRAL + SURROGATES) | st.characters()
fragments = st.sampled_from(WORDS) | st.text(characters, max_size=6)
texts = st.lists(fragments, max_size=8).map("".join) | st.lists(fragments, max_size=8).map(" ".join) | st.text(max_size=20)
"""Texts of up to a few dozen characters: plain words, odd case, marks, joiners, bidi, NUL, lone surrogates."""

long_texts = st.tuples(texts, st.integers(200, 2000)).map(lambda pair: (pair[0] * pair[1])[:20_000])
"""Texts of up to 20,000 characters made of one hostile fragment again and again."""
