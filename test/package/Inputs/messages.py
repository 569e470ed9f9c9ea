"""messages.py SOURCE: compares docs/troubleshooting.md with the source.

Every message that a user may get (the text of a call below) must be in the document, and every heading of the document that is a
message must be in the source. Compared are a message's longest piece without a value, blanks being alike. --list prints the messages."""
import re
import sys
from pathlib import Path

CALLS = {  # who tells the user, by file
    "omptarget-plugin/[!r]*/*.c": r"report_say\(|config_message\([^\"]*?",
    "omptarget-plugin/report/*.c": r"report_say\((?=\"PLACE)",  # the others are decisions, for PLACE_VERBOSE=1
    "omptarget-plugin/settings/force*.c": r"place_diag_set\(|(?<!_)say\(",
    "omptarget-plugin/settings/ask_device.c": r"snprintf\(why, size, ",
    "omptarget-plugin/settings/machine_file.c": r"snprintf\(note, size, ",
    "omptarget-plugin/image/*.c": r"refused_add\(",
    "omptarget-plugin/store/store.c": r"place_diag_set\(",
    "omptarget-plugin/core/base/file.c": r"place_diag_set\(",
    "llvm-pass/front/load_runtime.c": r"dprintf\(2, ",
    "llvm-pass/front/Version.cpp": r"fprintf\(stderr, ",
    "llvm-pass/front/A*.cpp": r"sayWarning\((?=[^\"']*\"place: )",
    "llvm-pass/front/NoDeviceCode.cpp": r"warn\((?=[^\"']*\"place: )",
    "llvm-pass/*.cpp": r"(?:warn|sayWarning)\((?=[^\"']*\"place: )",
}
LITERAL = r'"((?:[^"\\]|\\.)*)"'
VALUE = re.compile(r"%[-+ #0-9.*]*(?:l|ll|z|h)?[a-zA-Z]|\\n|\x00")


def messages(root):
    """Texts of the calls, values as \\0."""
    found = {}
    for pattern, call in CALLS.items():
        for file in sorted(root.glob(pattern)):
            text = file.read_text()
            for start in re.finditer(r"\b(?:" + call + r")", text):
                rest = text[start.end():]
                first = re.match(r"[^;{}\"]{0,200}?" + LITERAL, rest, re.S)
                if not first:
                    continue
                words, at = first.group(1), first.end()
                while more := re.match(r"\s*(?:\+\s*(?:[\w().>\-]+|Twine\([^)]*\))\s*\+\s*)?" + LITERAL, rest[at:]):
                    words += ("\x00" if "+" in more.group(0).split('"')[0] else "") + more.group(1)
                    at += more.end()
                found.setdefault(words.replace('\\"', '"'), str(file.relative_to(root)))
    return found


def longest(text):
    return max((re.sub(r"\s+", " ", piece) for piece in VALUE.split(text)), key=len).strip()


def main():
    root = Path(sys.argv[1])
    found = {text: file for text, file in messages(root).items() if len(longest(text)) >= 8}
    if "--list" in sys.argv:
        print("\n".join(f"{file}: {text}" for text, file in found.items()))
        return 0
    document = (root / "docs" / "troubleshooting.md").read_text()
    flat = re.sub(r"\s+", " ", document)
    wrong = [f"{file}: not in the document: {text}" for text, file in found.items() if longest(text) not in flat]
    known = "\n".join(re.sub(r"\s+", " ", text) for text in found)
    for heading in re.findall(r"^### `(.*)`$", document, re.M):
        piece = max(heading.split("..."), key=len).strip()
        if piece not in known:
            wrong.append(f"troubleshooting.md: not in the source: {heading}")
    print("\n".join(wrong) or f"{len(found)} messages")
    return bool(wrong)


sys.exit(main())
