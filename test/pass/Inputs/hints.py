"""hints.py COUNT SEED COMPILER...: mutated hints are understood or warned of, and never crash the compiler.

Makes COUNT hints of pieces of good ones, in files of 100 regions. Each must be answered: by a warning at its line, or by what it asks
for in the region table (-fplugin-arg-place-dump=table). What is right is known from how the hint was made: a small reader of its own.
"""

import os
import random
import re
import subprocess
import sys
import tempfile

TEAMS = [str(n) for n in range(32, 1025, 32)]
LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "include", "place", "space.def")
with open(LIST, encoding="utf-8") as file:
    SPACES = re.findall(r'^PLACE_SPACE\(\w+, "(\w+)"', file.read(), re.MULTILINE)
WORDS = SPACES + ["keep", "noplace", "threads", "team", "64", "33", "assume", "noalias", "a", "w", "q", "o", "h", "x1", "tile", "if", "int", "0", "1.5", '"s"', "'c'"]
MARKS = ["(", ")", ",", "[", "]", ":", ".", "->", "+", "*", "=", ";", "{", "}", "#", "##", "\\", "@", "$", "%", "&&", "..."]
GOOD = ["constant(w)", "shared(w)", "readonly(a)", "global(a, w)", "keep(threads)", "noplace", "shared(a[0:n])", "readonly(a, w) keep(threads)", "team(64)", "assume(noalias) constant(w)", "team(1024) shared(w)",
        "shared(tile(a, w[0:n]))", "shared(tile(a), w)"]


def tokens(text):
    return re.findall(r"[A-Za-z_]\w*|\d[\w.]*|->|\.\.\.|&&|##|\"[^\"]*\"|'[^']*'|\S", text)


def mutated(r):
    parts = [t for _ in range(r.randint(1, 2)) for t in tokens(r.choice(GOOD))]
    for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
        at = r.randrange(len(parts) + 1)
        kind = r.randrange(4)
        if kind == 0:
            parts.insert(at, r.choice(WORDS + MARKS))
        elif kind == 1 and parts:
            parts.pop(min(at, len(parts) - 1))
        elif kind == 2 and parts:
            parts[min(at, len(parts) - 1)] = r.choice(WORDS + MARKS)
        elif parts:
            word = parts[min(at, len(parts) - 1)]
            parts[min(at, len(parts) - 1)] = word[:-1] or word + "x"
    return " ".join(parts)


def behind_section(t):
    """What comes behind a section, which stands for the whole array whatever is in it; None: it has no end."""
    depth = 0
    for n, token in enumerate(t):
        depth += (token == "[") - (token == "]")
        if not depth:
            return t[n + 1:]
    return None


def listed(t, word, asked, words):
    """Reads a list of names in parentheses, which are asked to be in a space, or of which tiles are; what comes behind it."""
    while True:
        t.pop(0)
        if word == "shared" and t[:2] == ["tile", "("]:
            words["tile"] = True
            t = listed(t[1:], "tile", asked, words)
        elif t[:1] not in (["a"], ["w"]) or asked.get(t[0], word) != word:
            return None
        else:
            asked[t.pop(0)] = word
            while t is not None and t[:1] == ["["]:
                t = behind_section(t)
        if t is None:
            return None
        if t[:1] != [","]:
            return t[1:] if t[:1] == [")"] else None


def meaning(text):
    """What a hint without fault asks for: {array: space}, and {word: what it says}; None: it has a fault."""
    asked, words, t = {}, {}, tokens(text)
    if not t or '"' in t or "'" in t:  # a quotation mark alone swallows the rest of the line
        return None
    while t:
        word = t.pop(0)
        if word == "noplace":
            words[word] = True
            continue
        if word == "keep" and t[:3] == ["(", "threads", ")"] or word == "team" and t[:1] + t[2:3] == ["(", ")"] and t[1] in TEAMS:
            if words.get("teams", t[1]) != t[1]:
                return None
            words["teams"] = t[1]
            t = t[3:]
            continue
        if word == "assume" and t[:3] == ["(", "noalias", ")"]:
            words[word] = True
            t = t[3:]
            continue
        if word not in SPACES or t[:1] != ["("]:
            return None
        t = listed(t, word, asked, words)
        if t is None:
            return None
    return asked, words


def source(hints):
    lines = []
    for n, hint in enumerate(hints):
        lines += [f"void f{n}(int n, const float *a, const float *w, float *o) {{", f"#pragma place {hint}",
                  "#pragma omp target teams distribute parallel for", "for (int i = 0; i < n; i++) o[i] = a[i] * w[i & 7]; }"]
    return "\n".join(lines) + "\n"


def check(hints, compiler, folder):
    path = os.path.join(folder, "hints.c")
    with open(path, "w", encoding="utf-8") as f:
        f.write(source(hints))
    # One lean loop form is enough: what is looked at is the table.
    done = subprocess.run([*compiler, "-fplugin-arg-place-dump=table", "-fplugin-arg-place-effort=1", "-fplugin-arg-place-max-versions=0",
                           "-fplugin-arg-place-max-blocks=0", "-c", path, "-o", os.devnull], capture_output=True, text=True, errors="replace")
    if done.returncode:
        return [f"the compiler fails: {done.stderr[-2000:]}"]
    useless = re.escape("#pragma place assume(noalias) has no effect")  # the promise is kept, though no version needs it
    warned = {int(line) for line in re.findall(rf"hints\.c:(\d+):\d+: warning: (?!{useless})", done.stderr)}
    table = {m[1]: m[0] for m in re.finditer(r"^at \d+ (f\d+) .*\n(?:(?!region|end).*\n)*", done.stderr, flags=re.M)}
    wrong = []
    for n, hint in enumerate(hints):
        right, region = meaning(hint), table.get(f"f{n}", "")
        said = 4 * n + 2 in warned
        if right is None:
            fine = said
        elif "noplace" in right[1]:
            fine = "noplace" in region
        else:
            # Teams of another size are made of kernels optimised alone, which the options may exclude.
            said &= "tile" not in right[1]  # no blocks are made here
            said &= right[1].get("teams", "threads") == "threads" or "-fplugin-arg-place-no-isolate" not in compiler
            fine = (" apart" in region.partition("\nlaunch ")[2].partition("\n")[0]) == ("assume" in right[1])
            got = dict(re.findall(r"^array \d+ \d+ (\w) .*? global,readonly,constant,shared (\w+) -$", region, flags=re.M))
            fine &= all(got.get(a) == s for a, s in right[0].items() if s != "tile") and not said
        if not fine:
            wrong.append(f"'#pragma place {hint}' means {right}; warned: {said}\n{region}")
    return wrong


def main():
    count, seed, *compiler = sys.argv[1:]
    r, wrong = random.Random(int(seed)), []
    with tempfile.TemporaryDirectory() as folder:
        left = int(count)
        while left > 0:
            hints = [mutated(r) for _ in range(min(left, 100))]
            wrong += check(hints, compiler, folder)
            left -= len(hints)
    print("\n".join(wrong[:20]))
    print(f"{count} hints, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
