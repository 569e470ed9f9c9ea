"""Manual pages and bash completion of place's commands, made from what they print themselves.

    manual.py command NAME BRIEF VERSION OUT -- COMMAND...   OUT/NAME.1 and OUT/completions/NAME, from `COMMAND... --help`
    manual.py place VERSION ENVIRONMENT.md OUT               OUT/place.7, with the table of environment variables
"""
import re
import subprocess
import sys
from pathlib import Path


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def literal(lines):
    return [".nf", *(roff(line.rstrip()) for line in lines), ".fi"] if any(line.strip() for line in lines) else []


def head(name, section, version, brief):
    return [f'.TH "{name.upper()}" "{section}" "" "place {version}" "place"', ".SH NAME", f"{roff(name)} \\- {roff(brief)}"]


def command_page(name, brief, version, text):
    lines = text.rstrip().splitlines()
    is_usage = [re.match(rf"(usage: |\s+)(\S*/)?{re.escape(name)}\b", line) is not None for line in lines]
    usage = [re.sub(r"^(usage:|\s{6})\s", "", line) for line, yes in zip(lines, is_usage) if yes]
    rest = [line for line, yes in zip(lines, is_usage) if not yes]
    page = head(name, 1, version, brief)
    page += [".SH SYNOPSIS", *literal(usage)] if usage else []
    page += [".SH DESCRIPTION", *literal(rest)]
    page += [".SH EXIT STATUS", roff("0: done. 1: failed, or, of commands that compare, a difference. 2: the arguments are wrong.")]
    page += [".SH SEE ALSO", ".BR place (7)"]
    return "\n".join(page) + "\n"


def completion(name, text):
    """Words: options of the usage, and the commands, which stand first in a line of it."""
    words = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]+(?![\w-]*\.\w)", text))
    words |= set(re.findall(rf"^(?:usage: |\s+){re.escape(name)} ([a-z]+)\b", text, flags=re.M))
    words |= set(re.findall(r"^  ([a-z]+)(?: [A-Z|a-z]+)?  ", text, flags=re.M))
    function = "_" + name.replace("-", "_").replace("+", "x")
    return f"""# bash completion of {name}
{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}}
  COMPREPLY=()
  if [[ $word == -* || $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{" ".join(sorted(words))}' -- "$word")
  fi
}}
complete -o default -F {function} {name}
"""


def plain(text):
    return re.sub(r"`|\*\*", "", re.sub(r" *\(`?[^()]*\.md`?\)", "", text)).strip()


def place_page(version, environment):
    page = head("place", 7, version, "puts the data of OpenMP target regions where a GPU reads them fastest")
    page += [".SH SYNOPSIS", *literal(["clang-19 --config=<prefix>/share/place/place.cfg -O3 app.c -o app", "PLACE_REPORT=1 ./app"])]
    page += [".SH DESCRIPTION", roff("A plugin for clang 19 compiles several versions of each target region; a runtime, which the program loads by itself, "
                                     "measures them and keeps what pays. The program itself is not changed, and its results stay the same.")]
    page += [".SH ENVIRONMENT"]
    for row in re.findall(r"^\| (`PLACE.*?) \|\s*$", environment, flags=re.M):
        name, values, default, meaning = [plain(cell) for cell in re.split(r"(?<!\\) \| ", row)][:4]
        page += [".TP", f".B {roff(name)}", roff(f"{values} (default: {default}). {meaning}")]
    page += [".SH FILES"]
    for file, what in (("share/place/place.cfg", "clang's configuration file, which sets all that is needed"),
                       ("share/place/cuda", "the CUDA toolkit of place.cfg, or a link to one; place\\-cuda\\-toolkit puts it there"),
                       ("share/place/machines", "machine files (MSL)"), ("share/doc/place", "documents and examples")):
        page += [".TP", f".I {roff(file)}", what]
    page += [".SH SEE ALSO"]
    page += [", ".join(f"\\fB{roff(tool)}\\fR(1)" for tool in ("place-cuda-toolkit", "place-doctor", "place-msl", "place-plan", "place-probe", "place-report", "place-store", "simt-cc"))]
    return "\n".join(page) + "\n"


def main(arguments):
    if arguments[:1] == ["place"]:
        _, version, environment, out = arguments
        Path(out, "place.7").write_text(place_page(version, Path(environment).read_text()))
        return
    split = arguments.index("--")
    _, name, brief, version, out = arguments[:split]
    text = subprocess.run([*arguments[split + 1:], "--help"], capture_output=True, text=True, check=True).stdout
    Path(out, "completions").mkdir(parents=True, exist_ok=True)
    Path(out, f"{name}.1").write_text(command_page(name, brief, version, text))
    Path(out, "completions", name).write_text(completion(name, text))


main(sys.argv[1:])
