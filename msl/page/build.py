"""Puts the page together: build.py PAGE.HTML SCRIPT.JS CHECKER.WASM OUT MACHINE.msl..."""
import base64
import json
import os
import sys


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(page, script, checker, out, *machines):
    with open(checker, "rb") as file:
        wasm = base64.b64encode(file.read()).decode("ascii")
    examples = {os.path.basename(path): text(path) for path in machines}
    result = text(page)
    for place, content in (("/*SCRIPT*/", text(script)), ("/*MACHINES*/{}", json.dumps(examples).replace("<", "\\u003c")), ("/*WASM*/", wasm)):
        if result.count(place) != 1:
            sys.exit(f"{page}: {place} must be there once")
        result = result.replace(place, content)
    with open(out, "w", encoding="utf-8") as file:
        file.write(result)


main(*sys.argv[1:])
