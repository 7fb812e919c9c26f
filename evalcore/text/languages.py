"""What is particular to a language: its articles and its marks, as data."""

import string

ARTICLES: dict[str, tuple[str, ...]] = {
    "en": ("a", "an", "the"),
    "es": ("un", "una", "unos", "unas", "el", "la", "los", "las"),
    "de": ("ein", "eine", "einen", "einem", "eines", "einer", "der", "die", "das", "den", "dem", "des"),
    "vi": ("của", "là", "cái", "chiếc", "những"),
}  # The lists of MLQA; it has none for Hindi and Chinese, and the Arabic article is part of its word.

ARABIC_ARTICLE = "ال"

CJK_FIRST, CJK_LAST = "\u4e00", "\u9fa5"  # The Chinese characters of MLQA and CMRC: the block as it stood in Unicode 1.1.

CHINESE_MARKS: dict[str, str] = {
    "longbench": string.punctuation
    + "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏.",
    "cmrc": "-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』",
    "drcd": string.punctuation + "《》？，。、；：",
}

KORQUAD_MARKS = "'\"《》<>〈〉()‘’"
TRIVIAQA_MARKS = "‘’´`"
JAPANESE_FULL_STOP = "。"

DIGITS = "0123456789"
