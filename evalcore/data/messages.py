"""The question and the answer in what a tool logged: texts, messages, or objects around them."""

from evalcore.data.json_text import Number

QUESTION_KEYS = ("question", "query", "input", "prompt", "problem", "text", "content")
ANSWER_KEYS = ("answer", "output", "prediction", "response", "completion", "result", "text", "content")
ASKING = ("user", "human", "HUMAN")


def question_in(value: object) -> object:
    """Find the question: the text itself, the last message of the user, or what a usual key holds.

    >>> question_in({"messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Capital?"}]})
    'Capital?'
    """
    if isinstance(value, dict):
        if isinstance(value.get("messages"), list):
            return question_in(value["messages"])
        return _by_key(value, QUESTION_KEYS)
    if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        asked = [message for message in value if isinstance(message, dict) and message.get("role") in ASKING] or [e for e in value if isinstance(e, dict)]
        return text_of(asked[-1])
    return value


def answer_in(value: object) -> object:
    """Find the answer: the text itself, the last message, or what a usual key holds; anything else stays as it is.

    >>> answer_in({"role": "assistant", "content": "Paris"}), answer_in({"answer": "paris", "tokens": 3}), answer_in({"a": 1, "b": 2})
    ('Paris', 'paris', {'a': 1, 'b': 2})
    """
    if isinstance(value, dict):
        if isinstance(value.get("messages"), list) and value["messages"]:
            return text_of(value["messages"][-1])
        if isinstance(value.get("choices"), list) and value["choices"]:
            return answer_in(value["choices"][0])
        if isinstance(value.get("message"), dict):
            return text_of(value["message"])
        return text_of(value) if "role" in value else _by_key(value, ANSWER_KEYS)
    if isinstance(value, list) and value and all(isinstance(entry, dict) and "role" in entry for entry in value):
        return text_of(value[-1])
    return value


def text_of(message: object) -> object:
    """Give the text of one message: its content, or the texts of its parts put together."""
    content = message.get("content", message.get("prompt")) if isinstance(message, dict) else message
    if isinstance(content, list) and all(isinstance(part, str | dict) for part in content):
        texts = [part if isinstance(part, str) else part.get("text") for part in content]
        return "".join(text for text in texts if isinstance(text, str))
    return content


def _by_key(value: dict[str, object], keys: tuple[str, ...]) -> object:
    for key in keys:
        if isinstance(value.get(key), str | bool | Number):
            return value[key]
    return next(iter(value.values())) if len(value) == 1 else value
