"""Word lists the reasons look at; every one is short, closed, and says nothing about any data."""

from evalcore.analysis.languages import words

ARTICLES = words("a an the der die das ein eine le la les un une el los las una il lo gli uno um uma")

LIGHT_WORDS = words(
    "a an the of in on at to from by for with as and or into onto is was are were be been being it its this that these those which who whom whose "
    "he she they his her their there has have had do does did will would can could may might also both all so then than but if s der die das ein "
    "eine einen einem einer eines dem den "
    "und oder von vom zu zum zur im am auf aus bei nach über unter vor mit für ist sind wird wurde le la les un une du des de et ou en au aux est était "
    "el los las una y del al es fue "
    "il lo gli uno di da e nel della"
)  # Grammar without content: an answer that differs in these alone says the same. German "war" is left out, as it is an English noun.

HEDGES = words("about around approximately approx roughly nearly almost circa ca c some estimated between during since until median average")

TITLES = words("mr mrs ms miss dr sir lord lady dame prof professor president general king queen prince princess saint st pope captain senator")

SUFFIXES = frozenset(["jr", "sr", "ii", "iii", "iv"])

PARTICLES = words("de la du van von der den di da del della bin ibn al el le dos st")

NEGATIONS = words(
    "not no never none neither nor isn wasn aren weren doesn didn don cannot without nicht kein keine keiner nie ohne ne pas jamais non sans "
    "nunca ningún sin não не нет ни без ليس ليست لا لم لن غير"
)
CHINESE_NEGATIONS = ("不是", "没有", "沒有", "不", "没", "沒", "非", "无", "無", "未", "别")

JAPANESE_DENIALS = ("ではない", "ではなく", "ではありません", "じゃない")  # They follow what they deny.

YES = words("yes true correct right yeah yep ja wahr richtig oui vrai sí si verdadero sim da да 是 是的 对 對 正确 正確 真")
NO = words("no false incorrect wrong nope nein falsch non faux falso não нет 否 不是 不 不对 不對 错误 錯誤 假")

REFUSALS = (
    r"\bi (?:do not|don'?t|cannot|can'?t|could not|couldn'?t) (?:know|answer|provide|find|determine|help|assist|have)\b",
    r"\bi(?:'m| am) (?:sorry|not sure|unable|afraid)\b",
    r"^(?:unknown|n/?a|none|unsure|no answer|no idea|unanswerable|not (?:known|available|specified|mentioned|applicable|sure))\W*$",
    r"\b(?:it is|it's|is) (?:unknown|unclear|not (?:clear|known|possible|specified|mentioned|stated))\b",
    r"\b(?:cannot|can't|could not) be (?:determined|answered|found)\b",
    r"\b(?:there is|there's) (?:no|not enough) (?:information|answer|mention|evidence)\b",
    r"\bas an? (?:ai|artificial intelligence|language model)\b",
    r"\b(?:no|not enough|insufficient) (?:information|context|data)\b",
    r"\b(?:does not|doesn't|did not|do not) (?:mention|specify|say|state|provide|contain)\b",
    r"\bich weiß (?:es )?nicht\b",
    r"\bje ne (?:sais|peux) pas\b",
    r"\bno (?:lo )?(?:sé|puedo)\b",
    r"(?:我)?不(?:知道|清楚|确定|確定)|无法(?:回答|确定|提供)|無法(?:回答|確定|提供)|抱歉|对不起|對不起",
)

SPELLINGS = (
    (r"(?<=[a-z]{2})our(?=s?$|ed$|ing$|ite$|able$|hood$|ful$)", "or"),
    (r"(?<=[a-z]{3})is(?=e[sdr]?$|ing$|ation$|ations$)", "iz"),
    (r"(?<=[a-z]{2})yse(?=[sd]?$)", "yze"),
    (r"(?<=[a-z]{2})tre(?=s?$)", "ter"),
    (r"(?<=[a-z]{2})ll(?=ed$|ing$|er$|ers$|$)", "l"),
    (r"(?<=[a-z]{2})ogue(?=s?$)", "og"),
    (r"(?<=[a-z]{2})ence(?=s?$)", "ense"),
    (r"ae|oe", "e"),
    (r"^gr(?:ey)", "gray"),
    (r"ph", "f"),
)  # British and American spelling, Latin digraphs and transliteration: applied to both words, equal results are variants.

UNITS = words(
    "percent percentage per cent pct usd dollar dollars us eur euro euros gbp pound pounds yen yuan rmb cent cents m metre metres meter "
    "meters km kilometre kilometres kilometer kilometers cm mm mi mile miles ft foot feet in inch inches yd yard yards kg kilogram kilograms kilo "
    "kilos g gram grams lb lbs oz ounce ounces ton tons tonne tonnes l litre litres liter liters ml gal gallon gallons s sec second seconds min "
    "minute minutes h hr hrs hour hours ago bc bce ad ce century centuries day days week weeks month months year years old kmh mph kph c f k "
    "celsius fahrenheit kelvin degree degrees hz khz mhz ghz w kw mw v kb mb gb tb bit bits byte bytes sq square cubic people times points "
    "prozent jahr jahre tag tage woche wochen stunde stunden meile meilen einwohner ans années jours años días "
    "votes seats episodes games goals copies countries members 元 人 年 月 日 号 號 岁 歲 米 公里 个 個 次 名 万元 美元 公斤 千克 度"
)

SAME_UNITS = tuple(
    map(
        words,
        (
            "% percent percentage pct prozent",
            "$ usd dollar dollars 美元",
            "€ eur euro euros",
            "£ gbp pound pounds",
            "yen",
            "yuan rmb 元",
            "m metre metres meter meters 米",
            "km kilometre kilometres kilometer kilometers 公里",
            "cm",
            "mm",
            "mi mile miles meile meilen",
            "ft foot feet",
            "inch inches",
            "yd yard yards",
            "kg kilogram kilograms kilo kilos 公斤 千克",
            "g gram grams",
            "lb lbs pound pounds",
            "oz ounce ounces",
            "ton tons tonne tonnes",
            "l litre litres liter liters",
            "ml",
            "gal gallon gallons",
            "s sec second seconds",
            "m min minute minutes",
            "h hr hrs hour hours stunde stunden",
            "day days tag tage jours días",
            "week weeks woche wochen",
            "month months",
            "year years jahr jahre ans années años",
            "kmh kph",
            "mph",
            "c celsius",
            "f fahrenheit",
            "k kelvin",
        ),
    )
)  # Names of one unit; a name of two units is in both. Two names that share none are different units.

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio",
            "february feb februar février fevrier febrero febbraio",
            "march mar märz marz mars marzo",
            "april apr avril abril aprile",
            "may mai mayo maggio",
            "june jun juni juin junio giugno",
            "july jul juli juillet julio luglio",
            "august aug août aout agosto",
            "september sep sept septembre septiembre settembre",
            "october oct oktober octobre octubre ottobre",
            "november nov novembre noviembre",
            "december dec dezember décembre decembre diciembre dicembre",
        ),
        1,
    )
    for name in names.split()
}

CARDINALS = {
    word: number
    for number, spellings in enumerate(
        (
            "zero null",
            "one ein eins un uno",
            "two zwei deux dos",
            "three drei trois tres",
            "four vier quatre cuatro",
            "five fünf cinq cinco",
            "six sechs seis",
            "seven sieben sept siete",
            "eight acht huit ocho",
            "nine neun neuf nueve",
            "ten zehn dix diez",
            "eleven elf onze once",
            "twelve zwölf douze doce",
            "thirteen dreizehn treize trece",
            "fourteen vierzehn quatorze catorce",
            "fifteen fünfzehn quinze quince",
            "sixteen sechzehn seize",
            "seventeen siebzehn",
            "eighteen achtzehn",
            "nineteen neunzehn",
        )
    )
    for word in spellings.split()
    if word not in {"ein", "un", "uno"}
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "zwanzig": 20, "vingt": 20, "veinte": 20}
ORDINALS = {
    word: number
    for number, word in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth"], 1
    )
}
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "mio": 10**6, "mrd": 10**9}
