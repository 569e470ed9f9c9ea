"""Whether the source is as docs/architecture.md says: python3 architecture.py [ROOT]; prints what is not, status 1 then."""

import os
import re
import subprocess
import sys

PAGE = "docs/architecture.md"
SOURCES = ("include", "msl", "llvm-pass", "omptarget-plugin")  # folders that the map covers
DATA = ("msl/machines", "msl/machines/log")                    # without source
ENDINGS = (".h", ".c", ".cpp", ".def")
DECLARED = re.compile(r"^(?!static|inline|template|using|typedef|  ?return)(\s*)[\w:<>,*& ]*?[\w>*&] ?\b(\w+)\([^{}]*?\)(?: const)?;", re.MULTILINE)
CLASS = re.compile(r"^(?:class|struct) (\w+)[^;{]*\{(.*?)^\};", re.MULTILINE | re.DOTALL)
DEFINED = re.compile(r"^(?!static|inline|template)[\w:<>,*& ]*?((?:\w+::)?~?\w+)\([^;{}]*\)(?: const)?[^;{}]*\{", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def map_of(page):
    """Folder -> folders that it may include of, as the page's table has them."""
    rows = {}
    for line in page.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 and cells[0].endswith("/`"):
            rows[cells[0].strip("`/ ")] = (re.findall(r"`([^`]+)/`", cells[2]), "all of" in cells[2])
    return {folder: set(allowed) | {other for other in rows if everything and other.startswith(folder)}
            for folder, (allowed, everything) in rows.items()}


def named_paths(page):
    """Everything on the page that looks like a path of the repository."""
    top = "|".join(SOURCES + ("docs", "test", "benchmarks", "tools", "cmake"))
    return sorted(set(re.findall(rf"(?<![\w/.-])((?:{top})/(?:[\w./-]*[\w/])?)", page)))


def source_files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", *SOURCES], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return sorted(path for path in listed.stdout.split("\n") if path and os.path.exists(os.path.join(root, path)))
    return sorted(os.path.relpath(os.path.join(folder, name), root) for top in SOURCES for folder, _, names in os.walk(os.path.join(root, top)) for name in names)


def resolve(includer, target, files):
    """The file of the source that an include names, or None: the same folder first, then a path's end, which must be the only one."""
    near = os.path.normpath(os.path.join(os.path.dirname(includer), target))
    if near in files:
        return near
    found = [path for path in files if path.endswith("/" + target)]
    return found[0] if found else None


def edges_of(root, files):
    known = {path for path in files if path.endswith(ENDINGS)}
    return {path: {found for target in INCLUDE.findall(read(os.path.join(root, path))) if (found := resolve(path, target, known))}
            for path in sorted(known)}


def unit(path):
    """A header and the source of the same name belong together."""
    return os.path.splitext(path)[0]


def circles(edges):
    """Groups of units that include each other, directly or not (Tarjan)."""
    graph = {}
    for path, targets in edges.items():
        graph.setdefault(unit(path), set()).update(unit(target) for target in targets if unit(target) != unit(path))
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def declared(text):
    """What a header leaves to a source: `function`, `Class::member`."""
    members = {f"{name}::{member}" for name, body in CLASS.findall(text) for indent, member in DECLARED.findall(body)}
    return members | {name for indent, name in DECLARED.findall(CLASS.sub("", text)) if not indent}


def misplaced(root, files, allowed):
    """What a header of the plugin declares, and only folders define that the header's may not include of."""
    sources = [path for path in files if path.startswith("llvm-pass/") and path.endswith((".h", ".cpp"))]
    texts = {path: re.sub(r"//.*", "", read(os.path.join(root, path))) for path in sources}
    definers = {}
    for path, text in texts.items():
        for name in DEFINED.findall(text) if path.endswith(".cpp") else ():
            definers.setdefault(name, set()).add(path)
    for path in (path for path in sources if path.endswith(".h")):
        folder = os.path.dirname(path)
        for name in sorted(declared(texts[path])):
            there = definers.get(name, set())
            if there and not any(os.path.dirname(other) in allowed.get(folder, set()) | {folder} for other in there):
                yield f"{path} declares {name}, which {min(there)} defines: {folder}/ may not include of {os.path.dirname(min(there))}/ ({PAGE})"


def complaints(root):
    page = read(os.path.join(root, PAGE))
    allowed, files = map_of(page), source_files(root)
    out = [f"{PAGE} names {path}, which is not there" for path in named_paths(page) if not os.path.exists(os.path.join(root, path))]
    folders = {os.path.dirname(path) for path in files} - set(DATA)
    out += [f"{folder}/ is not in the map of {PAGE}" for folder in sorted(folders - set(allowed))
            if folder + "/" != "include/"]
    edges = edges_of(root, files)
    for path, targets in edges.items():
        folder = os.path.dirname(path)
        for target in sorted(targets):
            to = os.path.dirname(target)
            if to != folder and to not in allowed.get(folder, ()):
                out.append(f"{path} includes {target}: {folder}/ may not include of {to}/ ({PAGE})")
    out += misplaced(root, files, allowed)
    out += ["a circle: " + " ".join(group) for group in circles(edges)]
    return out


def main(find=complaints):
    """Prints what is found in the tree that the command line names; 1 if there is anything."""
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    found = find(os.path.normpath(root))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
