"""Finds a fault of ptxas in what it makes: uniform registers that are written in front of where a warp comes together.

Where some threads of a warp pass code by and a barrier follows, ptxas (12.4) has WARPSYNC.ALL bring the warp together, but may move
instructions on uniform registers to before it. Threads that come first then change what the others still read:

        @P1 BRA 0x30b0             some threads pass the rest by
            ISETP R50, UR4         the others read UR4
    30b0:   UMOV UR4, URZ          those that came first have written it
            WARPSYNC.ALL
            BAR.SYNC
"""

import re
import struct
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass

CUDA_MACHINE = 190  # e_machine of an ELF file
INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?(\S+)\s*(.*?)\s*;")
UNIFORM = re.compile(r"\bUR(\d+)(\.64)?")
ENDS_BLOCK = ("BRA", "BSYNC", "EXIT", "WARPSYNC", "BAR", "CALL", "RET")
WRITES_UNIFORM = ("U", "S2UR", "R2UR", "VOTEU", "REDUX")


@dataclass
class Instruction:
    address: int
    guard: str
    name: str
    operands: list

    def uniform(self):
        """(written, read) uniform registers."""
        written, read = set(), set()
        wide = ".64" in self.name or "WIDE" in self.name
        for place, operand in enumerate(self.operands):
            is_result = place == 0 and self.name.startswith(WRITES_UNIFORM) and not operand.startswith("UP")
            for number, pair in UNIFORM.findall(operand):
                registers = {int(number)} | ({int(number) + 1} if wide or pair or "desc" in operand else set())
                (written if is_result else read).update(registers)
        return written, read

    def target(self):
        """Where a branch goes, or None."""
        address = re.search(r"0x([0-9a-f]+)", self.operands[-1]) if self.name.startswith("BRA") and self.operands else None
        return int(address.group(1), 16) if address else None

    def parts_a_warp(self):
        return bool(self.guard) and not self.guard.lstrip("@!").startswith("U")


def cubins(data):
    """The CUDA ELF files in the bytes of a program."""
    at = data.find(b"\x7fELF")
    while at >= 0:
        if len(data) >= at + 64 and struct.unpack_from("<H", data, at + 18)[0] == CUDA_MACHINE:
            ends = [struct.unpack_from("<Q", data, at + table)[0] + size * count
                    for table, (size, count) in ((40, struct.unpack_from("<HH", data, at + 58)), (32, struct.unpack_from("<HH", data, at + 54)))]
            yield data[at:at + max(ends)]
        at = data.find(b"\x7fELF", at + 1)


def functions(text):
    """{name: instructions} of cuobjdump's output."""
    out, current = {}, []
    for line in text.splitlines():
        if "Function : " in line:
            current = out.setdefault(line.split("Function : ")[1].strip(), [])
        elif match := INSTRUCTION.match(line):
            operands = [o.strip() for o in match.group(4).split(",")] if match.group(4) else []
            current.append(Instruction(int(match.group(1), 16), (match.group(2) or "").strip(), match.group(3), operands))
    return out


def _written_before(code, sync, is_target):
    """(first, registers): where the block that a WARPSYNC is in begins, if branches go there, and what is written from there on."""
    written = set()
    for n in range(sync - 1, -1, -1):
        if code[n].name.startswith(ENDS_BLOCK):
            break
        written |= code[n].uniform()[0]
        if code[n].address in is_target:
            return n, written
    return None, set()


def _first_read(code, registers):
    """The first instruction that reads one of the registers as it was before."""
    for instruction in code:
        written, read = instruction.uniform()
        if read & registers:
            return instruction
        registers = registers - (written if not instruction.guard else set())
    return None


def hazards(code):
    """Instructions that read a uniform register that the other part of their warp may have written."""
    branches = defaultdict(list)
    for n, instruction in enumerate(code):
        if instruction.target() is not None and instruction.parts_a_warp():
            branches[instruction.target()].append(n)
    out = []
    for sync, instruction in enumerate(code):
        if not instruction.name.startswith("WARPSYNC"):
            continue
        first, written = _written_before(code, sync, branches)
        for branch in branches[code[first].address] if written else ():
            if branch < first and (read := _first_read(code[branch + 1:first], written)):
                out.append(read)
    return out


def faulty_versions(program, cuobjdump):
    """Names of the versions in a program or object file that have the fault where the original kernel has not."""
    found = set()
    with open(program, "rb") as file:
        data = file.read()
    for cubin in cubins(data):
        with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
            file.write(cubin)
            file.flush()
            ended = subprocess.run([cuobjdump, "-sass", file.name], capture_output=True, text=True, check=True)
        found |= {name for name, code in functions(ended.stdout).items() if hazards(code)}
    return sorted(name for name in found if "_place_" in name and not name.endswith("_place_base") and name.partition("_place_")[0] not in found)
