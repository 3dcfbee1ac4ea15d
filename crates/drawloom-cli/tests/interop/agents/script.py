"""What the scripted models say: calls that the words of a prompt ask for, and then what the calls came to.

`script.json` maps a word to calls; the first word that is in the prompt counts. The agent in Node reads it too.
"""

import json
import pathlib

SCRIPT = json.loads(pathlib.Path(__file__).with_name("script.json").read_text(encoding="utf-8"))


def calls_for(prompt):
    """The calls that a prompt asks for, as pairs of a tool's name and its arguments. Some models cannot be reached."""
    if "unreachable" in prompt:
        raise RuntimeError("the model is gone")
    return next((calls for word, calls in SCRIPT.items() if word in prompt), [])


def pieces(arguments):
    """The text of arguments as a model streams it: a few characters at a time."""
    text = json.dumps(arguments, ensure_ascii=False)
    return [text[at : at + 6] for at in range(0, len(text), 6)]


def answer(shown):
    """What the model says once calls have come to something, of which it is shown this."""
    last_call = max((at for at, part in enumerate(shown) if "call" in part), default=-1)
    results = [part["result"]["text"] for part in shown[last_call + 1 :] if "result" in part]
    return f"I was told: {' / '.join(results) or 'nothing'}."
