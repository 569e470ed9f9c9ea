"""What the tests of the study share: a table, the regions in it, rows of a first pass."""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from studylib import tables  # noqa: E402
from studylib.results import FIELDS, TOTAL  # noqa: E402

TABLE = """place-table 2
region __omp_offloading_fe00_51_convolve_l6
at 6 convolve benchmarks/conv1d.c
kind spmd
array 0 2 signal 4 r 0 global,readonly,constant - -
array 1 3 taps 4 r 1 global,constant,shared - -
array 2 4 out 4 w -1 global - written
version __omp_offloading_fe00_51_convolve_l6_place_base role=base loop=original space=g,g,-
version __omp_offloading_fe00_51_convolve_l6_place_gg role=plan loop=straight space=g,g,-
version __omp_offloading_fe00_51_convolve_l6_place_gc role=plan loop=straight space=g,c,- needs=aligned:16
version __omp_offloading_fe00_51_convolve_l6_place_gc_512t128 role=plan loop=block space=g,c,- block=512 team=128 adjacent=0 threads=128 teams=1 needs=open-teams,open-threads,reads-unwritten,writes-apart,aligned:16
version __omp_offloading_fe00_51_convolve_l6_place_agnostic role=plan loop=original space=*,*,- needs=aligned:16
region __omp_offloading_fe00_51_second_l9
kind spmd
array 0 1 u 4 r 0 global,readonly - -
version __omp_offloading_fe00_51_second_l9_place_base role=base loop=original space=g
version __omp_offloading_fe00_51_second_l9_place_r role=plan loop=original space=r
end 0123456789abcdef
"""


def text_of(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def regions():
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"\x7fELF\0place-table without an end\0" + TABLE.encode() + b"\0more")
        file.flush()
        return tables.read_tables(file.name)


def first_pass_rows(times, versions, case="c"):
    """Rows of a case: {plan: {region: ms}}, {plan: {region: version}}."""
    rows = []
    for plan, parts in times.items():
        for name, ms in [*parts.items(), (TOTAL, sum(parts.values()))]:
            version = versions.get(plan, {}).get(name, plan if name != TOTAL else "")
            rows.append({**dict.fromkeys(FIELDS, ""), "case": case, "plan": plan, "round": "1", "region": name,
                         "verdict": "PASS", "command": f"bin/{case}.x",
                         "version": version, "placement": version, "median_ms": str(ms), "timer": "cupti"})
    return rows
