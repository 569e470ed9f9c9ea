"""Feeds damaged OpenACC directives to the compiler.

Each of COUNT directives is a good one with one to three of its tokens dropped, doubled, swapped or replaced. All go into a few files,
a function each. A directive passes if clang says something of its line, or if the plugin's dump shows what it made of it.
Fails, with the directive, if the compiler crashes or hangs, or if a directive leaves no trace.
"""

import argparse
import os
import random
import re
import subprocess
import sys

GOOD = """
parallel loop gang vector copyin ( a [ 0 : n ] ) copyout ( b [ 0 : n ] ) private ( t )
parallel loop gang num_gangs ( 4 ) num_workers ( 2 ) vector_length ( 32 ) reduction ( + : s )
parallel loop collapse ( 1 ) if ( n > 1 ) async ( 2 ) wait ( 1 , 2 )
kernels loop independent copy ( a [ 0 : n ] , b [ 0 : n ] )
kernels copyin ( a [ : n ] ) default ( present )
serial loop seq copy ( a [ 0 : n ] ) firstprivate ( t )
parallel loop tile ( 4 ) device_type ( nvidia ) vector_length ( 64 ) device_type ( * ) num_gangs ( 2 )
parallel loop gang ( static : * ) worker ( num : 2 ) vector ( length : 32 ) present ( a , b )
data copy ( a [ 0 : n ] ) create ( zero : b [ 0 : n ] ) if ( n )
host_data use_device ( a , b ) if_present
enter data copyin ( readonly : a [ 0 : n ] ) create ( b [ 0 : n ] ) async
exit data copyout ( a [ 0 : n ] ) delete ( b ) finalize wait ( devnum : 0 : queues : 1 )
update self ( a [ 0 : n ] ) device ( b [ 0 : n ] ) if_present
wait ( 1 ) async ( 3 ) if ( n )
set device_num ( 0 ) default_async ( 1 )
init device_type ( nvidia ) device_num ( 0 )
atomic capture
cache ( a [ 0 : 4 ] )
""".strip().splitlines()
WORDS = "loop gang vector copy ( ) [ ] : , + * 3 n a zz seq if reduction & -> . default none \"x\" '1' ; # sizeof parallel enter data".split()
PER_FILE = 50


def damaged(rng):
    tokens = rng.choice(GOOD).split()
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(tokens))
        kind = rng.randrange(4)
        if kind == 0 and len(tokens) > 1:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at])
        elif kind == 2:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = rng.choice(WORDS)
    return " ".join(tokens)


def source(directives):
    """The file's text, and the line of each directive."""
    lines, places = [], []
    for number, directive in enumerate(directives):
        lines.append(f"void f{number}(int n, double *a, double *b, double t, double s) {{")
        lines.append(f"#pragma acc {directive}")
        places.append(len(lines))
        follows = "{ s = t; t = t + 1; }" if directive.startswith("atomic") else "for (int i = 0; i < n; i++) a[i] = b[i];"
        lines += [follows, "}"]
    return "\n".join(lines) + "\n", places


def check(arguments, name, directives):
    path = os.path.join(arguments.folder, name)
    text, places = source(directives)
    with open(path, "w") as out:
        out.write(text)
    command = [arguments.clang, "-fopenmp", "-fsyntax-only", "-ferror-limit=0", f"-fplugin={arguments.plugin}",
               "-fplugin-arg-place-dump=acc", path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        return [f"{path}: the compiler ended with {done.returncode}\n{done.stderr[:2000]}"]
    mentioned = {int(line) for line in re.findall(re.escape(name) + r":(\d+)", done.stderr)}
    return [f"{path}:{line}: no trace of: #pragma acc {directive}"
            for line, directive in zip(places, directives) if not mentioned & {line, line + 1, line + 2}]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--folder", required=True)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    rng = random.Random(arguments.seed)
    directives = [damaged(rng) for _ in range(arguments.count)]
    bad = []
    for begin in range(0, len(directives), PER_FILE):
        bad += check(arguments, f"m{begin // PER_FILE}.c", directives[begin:begin + PER_FILE])
    print("\n".join(bad) if bad else f"{len(directives)} directives: each was refused or translated")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
