"""Element types of arrays, and carriers: the types in which expressions are computed.

Integers of arrays hold anything. Floating-point elements always hold integers of at most 60 in absolute value, so that
arithmetic on them is exact in every order, fused or not.
"""

from dataclasses import dataclass

FLOAT_VALUE = 60  # greatest absolute value of a floating-point element


@dataclass(frozen=True)
class Elem:
    """A scalar element type. `bound`: greatest absolute value that an int can be given without a mask, or None."""

    name: str
    c: str
    real: bool = False
    bits: int = 32
    bound: int | None = None


@dataclass(frozen=True)
class Compound:
    """A struct (fields by name) or a short vector (fields are lanes)."""

    name: str
    c: str
    fields: tuple  # of (accessor, Elem)
    declaration: str


BOOL = Elem("bool", "_Bool", bits=8, bound=1)
I8 = Elem("i8", "int8_t", bits=8, bound=128)
U8 = Elem("u8", "uint8_t", bits=8, bound=255)
I16 = Elem("i16", "int16_t", bits=16, bound=32768)
U16 = Elem("u16", "uint16_t", bits=16, bound=65535)
I32 = Elem("i32", "int32_t")
U32 = Elem("u32", "uint32_t")
I64 = Elem("i64", "int64_t", bits=64)
U64 = Elem("u64", "uint64_t", bits=64)
F16 = Elem("f16", "_Float16", real=True, bits=16, bound=FLOAT_VALUE)
F32 = Elem("f32", "float", real=True, bound=FLOAT_VALUE)
F64 = Elem("f64", "double", real=True, bits=64, bound=FLOAT_VALUE)
SCALARS = (BOOL, I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64)


def _vector(name, elem, lanes, width):
    fields = tuple((f"[{lane}]", elem) for lane in range(lanes))
    return Compound(name, name, fields, f"typedef {elem.c} {name} __attribute__((vector_size({width})));")


PAIR = Compound("pair", "struct pair", ((".x", F32), (".y", I32)), "struct pair { float x; int32_t y; };")
TRIO = Compound("trio", "struct trio", ((".a", I16), (".b", U8), (".c", BOOL), (".d", F32)),
                "struct trio { int16_t a; uint8_t b; _Bool c; float d; };")
WIDE = Compound("wide", "struct wide", ((".p", F64), (".q", I64), (".r[0]", U16), (".r[3]", U16)),
                "struct wide { double p; int64_t q; uint16_t r[4]; };")
SKEW = Compound("skew", "struct skew", ((".u", U8), (".v", I8), (".w", U8)), "struct skew { uint8_t u; int8_t v; uint8_t w; };")
FLOAT2 = _vector("float2", F32, 2, 8)
FLOAT4 = _vector("float4", F32, 4, 16)
DOUBLE2 = _vector("double2", F64, 2, 16)
INT4 = _vector("int4", I32, 4, 16)
BYTE8 = _vector("byte8", U8, 8, 8)
FLOAT8 = _vector("float8", F32, 8, 32)
DOUBLE4 = _vector("double4", F64, 4, 32)
COMPOUNDS = (PAIR, TRIO, WIDE, SKEW, FLOAT2, FLOAT4, DOUBLE2, INT4, BYTE8, FLOAT8, DOUBLE4)


@dataclass(frozen=True)
class Carrier:
    """A type to compute in. `limit`: greatest absolute value that is exact and defined; None: arithmetic wraps around."""

    name: str
    c: str
    real: bool
    limit: int | None


INT = Carrier("int", "int", False, 1 << 30)
LONG = Carrier("long", "int64_t", False, 1 << 60)
UNSIGNED = Carrier("unsigned", "uint32_t", False, None)
WORD = Carrier("word", "uint64_t", False, None)
HALF = Carrier("half", "_Float16", True, 1 << 10)
FLOAT = Carrier("float", "float", True, 1 << 23)
DOUBLE = Carrier("double", "double", True, 1 << 50)
CARRIERS = (INT, LONG, UNSIGNED, WORD, HALF, FLOAT, DOUBLE)


def carriers_of(elem):
    """Carriers whose values can be stored in an element of this type."""
    if elem.real:
        return {16: (HALF, FLOAT), 32: (FLOAT, FLOAT, DOUBLE), 64: (DOUBLE,)}[elem.bits]
    return (WORD, LONG) if elem.bits == 64 else (INT, INT, UNSIGNED)
