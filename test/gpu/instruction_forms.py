# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions for instructions.py: PTX text, operands, and rules for comparing results.

These are all forms that test/ptx/forms.py enumerates, if they compute in registers and the assembler
accepts them, and the video instructions. All lanes of a warp execute warp-wide instructions.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ptx"))

import forms  # noqa: E402

CTAS, THREADS = 8, 128
LANES = CTAS * THREADS  # each with its own operands
COMPUTING = set("""add sub addc subc mul mul24 mad madc mad24 sad div rem abs neg not cnot brev popc clz bfind min
max and or xor shl shr bfe bfi fns szext bmsk shf lop3 prmt dp4a dp2a fma rcp sqrt rsqrt sin cos lg2 ex2 tanh
copysign testp setp set selp slct mov cvt movmatrix mma shfl vote match redux""".split())
ALL_LANES = {"shfl": "%r5", "vote": "%r1", "match": "%r3", "redux": "%r3"}  # the mask, which is -1
MORE = ["mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%r1,%r2,%r3,%r4}, {%r11,%r12}, {%r21}, {%r31,%r32,%r33,%r34}",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1,%rd2}, {%rd3}, {%rd4}, {%rd5,%rd6}",
        "mma.sync.aligned.m8n8k16.row.col{,.satfinite}.s32{.s8,.u8}{.s8,.u8}.s32 {%r1,%r2}, {%r11}, {%r21}, {%r31,%r32}",
        "mma.sync.aligned.m16n8k16.row.col.s32{.s8,.u8}.u8.s32 {%r1,%r2,%r3,%r4}, {%r11,%r12}, {%r21}, {%r31,%r32,%r33,%r34}",
        "mma.sync.aligned.m16n8k64.row.col{,.satfinite}.s32{.s4,.u4}.s4.s32 "
        "{%r1,%r2,%r3,%r4}, {%r11,%r12,%r13,%r14}, {%r21,%r22}, {%r31,%r32,%r33,%r34}",
        "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32{.xor,.and}.popc "
        "{%r1,%r2,%r3,%r4}, {%r11,%r12}, {%r21}, {%r31,%r32,%r33,%r34}"]
VIDEO = ["v{add,sub,absdiff,min,max}{.u32,.s32}{.u32,.s32}.s32{,.sat} %r1, %r2.b1, %r3.h1",
         "v{add,sub,absdiff,min,max}.s32.s32.u32{.add,.min,.max} %r1, %r2, %r3.b3, %r4",
         "v{add,sub,absdiff,min,max}.s32{.u32,.s32}{.u32,.s32}{,.sat}{.add,.min,.max} %r1, %r2, %r3, %r4",
         "v{shl,shr}.s32{.u32,.s32}.u32{,.sat}{.clamp,.wrap}{.add,.min,.max} %r1, %r2, %r3.b0, %r4",
         "vset{.u32,.s32}{.u32,.s32}.lt{.add,.min,.max} %r1, %r2, %r3, %r4",
         "v{shl,shr}{.u32,.s32}.u32.u32{,.sat}{.clamp,.wrap} %r1, %r2.h0, %r3.b0",
         "vset{.u32,.s32}.u32{.eq,.lt,.ge} %r1, %r2.b2, %r3.h0",
         "vmad{.u32,.s32}.s32.u32{,.sat}{,.shr7,.shr15} %r1, %r2.b0, %r3.h1, %r4",
         "v{add,sub,avrg,absdiff,min,max}2{.u32,.s32}.s32{.u32,.s32}{,.sat} %r1, %r2, %r3, %r4",
         "v{add,sub,avrg,absdiff,min,max}4{.u32,.s32}.u32.s32{,.sat} %r1, %r2, %r3, %r4",
         "v{add,absdiff,max}{2,4}.s32.u32.u32.add %r1, %r2, %r3, %r4",
         "vset{2,4}.s32.u32{.ne,.gt} %r1, %r2, %r3, %r4"]
REGISTER = re.compile(r"%(h|rd|r|q|p|b)\d+")
BYTES = {"h": 2, "rd": 8, "r": 4, "q": 16, "p": 4, "b": 1}


@dataclass
class Form:
    """An instruction form and its registers."""

    line: str
    used: list[str]
    results: list[str]

    @property
    def opcode(self) -> str:
        return re.match(r"\w+", self.line)[0]

    @property
    def carries(self) -> bool:
        return ".cc" in self.line.split()[0]

    @property
    def results_with_carry(self) -> int:
        return len(self.results) + self.carries


def kind(register: str) -> str:
    return REGISTER.match(register)[1]


def form_of(line: str) -> Form:
    operands = line.split(None, 1)[1]
    first = operands[:operands.index("}") + 1] if operands[0] == "{" else operands.split(",")[0]
    names = [match[0] for match in REGISTER.finditer(operands)]
    return Form(line, list(dict.fromkeys(names)),
                list(dict.fromkeys(match[0] for match in REGISTER.finditer(first))))


def candidates() -> list[str]:
    """Lines that compute in registers; some are not valid instructions."""
    found = []
    for line in forms.lines():
        opcode = re.match(r"\w+", line)[0]
        if "[" in line or ".kind::" in line or opcode not in COMPUTING or " " not in line:
            continue
        if opcode in ALL_LANES:
            if ".sync" not in line:
                continue
            first, rest = line.rstrip(";").rsplit(", ", 1)
            line = f"{first}, -1;" if rest == ALL_LANES[opcode] else f"{first}, {rest};"
        found.append(apart(line) if opcode == "mma" else line)
    for pattern in MORE + VIDEO:
        instruction, registers = pattern.split(" ", 1)
        found += [f"{each} {registers};" for each in forms.choices(instruction)]
    return list(dict.fromkeys(found))


def accepted(ptxas: str, target: str) -> list[Form]:
    """The instructions that the assembler accepts, without those that the machine is known to refuse."""
    known = [pattern for said, pattern in forms.readKnown(forms.__file__.replace(".py", "_known.txt"))
             if said == "accepts"]
    lines = [line for line in candidates() if not any(pattern.match(line) for pattern in known)]
    with tempfile.TemporaryDirectory() as folder:
        chosen = forms.acceptedByPtxas(ptxas, target, lines, folder)
        some = [form_of(lines[number]) for number in sorted(chosen)]
        # It reports errors in shapes only if there are no others.
        source = pathlib.Path(folder, "all.ptx")
        source.write_text(text_of(some, target))
        ended = subprocess.run([ptxas, f"-arch={target}", source, "-o", source.with_suffix(".cubin")],
                               capture_output=True, text=True)
        text = source.read_text().splitlines()
        wrong = {text[int(number) - 1] for number in re.findall(r"line (\d+); error", ended.stderr)}
    return [form for form in some if form.line not in wrong]


# --- Text ----------------------------------------------------------------------------------


def text_of(some: list[Form], target: str) -> str:
    """A kernel that executes the forms in order: `k(in, out)`. `in` has LANES values of 16 bytes for each
    source register of each form; `out` has the same for results, and a word for the carry of each form
    that sets it."""
    lines = [".version 9.0", f".target {target}", ".address_size 64",
             ".visible .entry k(.param .u64 in, .param .u64 out)", f".reqntid {THREADS}, 1, 1", "{",
             forms.REGISTERS.splitlines()[0], ".reg .b64 %x<6>; .reg .b32 %y<4>;",
             "ld.param.u64 %x0, [in];", "ld.param.u64 %x1, [out];", "mov.u32 %y0, %ctaid.x;",
             "mov.u32 %y1, %tid.x;", f"mad.lo.u32 %y0, %y0, {THREADS}, %y1;",
             "mad.wide.u32 %x0, %y0, 16, %x0;", "mad.wide.u32 %x1, %y0, 16, %x1;"]
    read = written = 0
    for form in some:
        for register in form.used:
            lines.append(load(register, f"[%x0+{read * LANES * 16}]"))
            read += 1
        # Borrow and carry share a flag: only the instructions that set and use it tell which it is.
        borrows = form.opcode in ("sub", "subc")
        if form.opcode in ("addc", "subc", "madc"):
            lines += [f"ld.global.u32 %y2, [%x0+{(read - 1) * LANES * 16}];",
                      "sub.cc.u32 %y3, 1, %y2;" if borrows else "add.cc.u32 %y3, %y2, %y2;"]
        lines.append(form.line)
        if form.carries:
            lines.append("subc.u32 %y3, 0, 0;" if borrows else "addc.u32 %y3, 0, 0;")
        for register in form.results:
            lines.append(store(register, f"[%x1+{written * LANES * 16}]"))
            written += 1
        if form.carries:
            lines.append(f"st.global.u32 [%x1+{written * LANES * 16}], %y3;")
            written += 1
    return "\n".join([*lines, "ret;", "}", ""])


def load(register: str, place: str) -> str:
    if kind(register) == "q":
        return f"ld.global.v2.b64 {{%x2, %x3}}, {place}; mov.b128 {register}, {{%x2, %x3}};"
    if kind(register) == "p":
        return f"ld.global.u32 %y2, {place}; and.b32 %y2, %y2, 1; setp.ne.u32 {register}, %y2, 0;"
    return f"ld.global.b{8 * BYTES[kind(register)]} {register}, {place};"


def store(register: str, place: str) -> str:
    if kind(register) == "q":
        return f"mov.b128 {{%x2, %x3}}, {register}; st.global.v2.b64 {place}, {{%x2, %x3}};"
    if kind(register) == "p":
        return f"selp.u32 %y2, 1, 0, {register}; st.global.u32 {place}, %y2;"
    return f"st.global.b{8 * BYTES[kind(register)]} {place}, {register};"


# --- Operands ------------------------------------------------------------------------------

SPECIAL = {2: [0, 1, 0x8000, 0x8001, 0x7C00, 0xFC00, 0x7E00, 0x3C00, 0xBC00, 0x7BFF, 0x0400, 0x03FF, 0x7F80,
               0xFF80, 0x7FC0, 0x3F80, 0x7F7F, 0x0080, 0x007F, 0xFFFF, 0x7FFF, 0x7FF7, 0xFFF7, 0x3800, 0x3F00],
           4: [0, 1, 0x80000000, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FA00000, 0x3F800000,
               0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x00800000, 0x007FFFFF, 0x4F000000, 0xCF000000, 0x5F000000,
               0x4F800000, 0x3F000000, 0x3FC00000, 0x43808000, 0xFFFFFFFF, 0x7FFFFFFF, 0x477FE000, 0x477FF000,
               0x33800000, 0x387FC000, 0x43E00000, 0x47600000, 31, 32, 33, 63, 64],
           8: [0, 1, 1 << 63, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48, 0x3FF0 << 48, 0xBFF0 << 48,
               0x7FEFFFFFFFFFFFFF, 0x0010 << 48, 0x000FFFFFFFFFFFFF, 0x43E0 << 48, 0xC3E0 << 48, 0x43F0 << 48,
               0x41E0 << 48, 0xC1E0 << 48, 0x47EFFFFFE0000000, 0x47EFFFFFF0000000, 0x3810 << 48, 0x36A0 << 48,
               0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x3FE0 << 48, 0x4004 << 48]}
SIGNED = {2: np.int16, 4: np.int32, 8: np.int64}
UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}
FLOATS = {2: np.float16, 4: np.float32, 8: np.float64}


def operands(form: Form, random: np.random.Generator) -> np.ndarray:
    """Operand bytes, [register][lane][16]. Two of three lanes have the same kind of value in all registers."""
    data = np.zeros((len(form.used), LANES, 16), np.uint8)
    common = random.integers(0, 6, LANES)
    for place, register in enumerate(form.used):
        if form.opcode == "mma":
            values = matrix_words(form, register, random)
        else:
            manner = np.where(random.random(LANES) < 0.67, common, random.integers(0, 6, LANES))
            values = mixed(max(BYTES[kind(register)], 2), manner, random)
        data[place, :, :values.shape[1]] = values
    return data


def mixed(size: int, manner: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Operand bytes, [lane][size]: random bits, small integers, special values, floats near one, floats with
    random exponents, or pairs of half-precision values."""
    if size == 16:
        return np.concatenate([mixed(8, manner, random), mixed(8, manner, random)], axis=1)
    word = UNSIGNED[size]
    any_bits = random.integers(0, 256, (LANES, size), dtype=np.uint8).view(word)[:, 0]
    small = random.integers(-40, 40, LANES).astype(SIGNED[size]).view(word)
    special = random.choice(np.array(SPECIAL[size], word), LANES)
    near = (random.standard_normal(LANES) * 4).astype(FLOATS[size]).view(word)
    if size == 2:
        wide = (random.standard_normal(LANES) * 4).astype(np.float32).view(np.uint32)
        halves = (wide >> 16).astype(np.uint16)  # bf16
    else:
        halves = np.concatenate([mixed(size // 2, random.integers(1, 6, LANES), random)
                                 for _ in range(2)], axis=1).view(word)[:, 0]
    exponent = random.integers(-160, 160, LANES) if size > 2 else random.integers(-26, 17, LANES)
    with np.errstate(over="ignore"):
        far = (random.choice([-1.0, 1.0], LANES) * (1 + random.random(LANES)) *
               2.0**exponent).astype(FLOATS[size]).view(word)
    chosen = np.choose(manner, [any_bits, small, special, near, far, halves])
    return chosen.astype(word)[:, None].view(np.uint8).reshape(LANES, size)


# Elements whose products and sums are exact: zeros, ones, twos and halves with both signs.
ELEMENTS = {"f16": np.array([0, 0x3C00, 0xBC00, 0x4000, 0xB800], np.uint16),
            "bf16": np.array([0, 0x3F80, 0xBF80, 0x4000, 0xBF00], np.uint16),
            "tf32": np.array([0, 0x3F800000, 0xBF800000, 0x40000000, 0xBF000000], np.uint32),
            "f32": np.array([0, 0x3F800000, 0xBF800000, 0x40000000, 0xBF000000], np.uint32),
            "e4m3": np.array([0, 0x38, 0xB8, 0x40, 0xB0], np.uint8),
            "e5m2": np.array([0, 0x3C, 0xBC, 0x40, 0xB8], np.uint8)}
PAIRS = [0x4, 0x8, 0x9, 0xC, 0xD, 0xE]  # positions of two nonzero elements among four (PTX ISA, mma.sp)


def apart(line: str) -> str:
    """An `mma` with separate registers for operands and accumulators: from 1, 11, 21 and 31 on."""
    groups = iter(range(0, 40, 10))
    return re.sub(r"\{[^}]*\}", lambda group: re.sub(
        r"%r(\d+)", lambda name, more=next(groups): f"%r{int(name[1]) + more}", group[0]), line)


def matrix_words(form: Form, register: str, random: np.random.Generator) -> np.ndarray:
    """For an operand, an accumulator, or the metadata of a sparse operand."""
    if kind(register) == "rd":
        return random.integers(-8, 9, (LANES, 1)).astype(np.float64).view(np.uint8)
    number = int(register[2:])
    types = form.line.split()[0].split(".")[-4:]
    if number == 39:
        nibbles = np.array([0x4, 0xE] if types[1] == "tf32" else PAIRS, np.uint32)
        chosen = random.choice(nibbles, (LANES, 8)) << np.arange(0, 32, 4, dtype=np.uint32)
        words = chosen.sum(1, dtype=np.uint32)[:, None]
    else:
        elements = ELEMENTS.get(types[number // 10])
        if elements is None:
            words = random.integers(0, 256, (LANES, 4), dtype=np.uint8)
        else:
            words = random.choice(elements, (LANES, 4 // elements.itemsize))
    return np.ascontiguousarray(words).view(np.uint8).reshape(LANES, 4)


# --- Results -------------------------------------------------------------------------------

# For an element type: the integer type of its bits, and the position of the exponent's lowest bit.
FORMATS = {"f16": (np.uint16, 10), "bf16": (np.uint16, 7), "f32": (np.uint32, 23), "tf32": (np.uint32, 23),
           "f64": (np.uint64, 52)}
APPROXIMATE = ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "div")
FARTHEST = 100 * np.pi  # the largest argument of sin.approx for which the manual bounds the error

# Forms for which ptxas deviates from the manual, for some operands.
APART = re.compile(r"bfe\.[us]64|bfi\.b64"  # positions and lengths above 255, which the manual takes modulo 256
                   r"|fns"  # the offset -2^31
                   r"|cvt\.r[mp]\.ftz(\.sat)?\.f16\.f32"  # subnormals, which are not flushed
                   r"|cvt\.rna\.(satfinite\.)?tf32")  # NaNs, some of which become infinite


def comparable(form: Form, given: np.ndarray) -> np.ndarray:
    """The lanes whose results are compared, given the operands [register][lane][16]."""
    words = np.ascontiguousarray(given[:, :, :4]).view(np.uint32)[:, :, 0]
    with np.errstate(invalid="ignore"):
        last = np.abs(words[-1].view(np.float32))
    if form.opcode in ("sin", "cos"):
        return ~(last > FARTHEST)
    if not APART.match(form.line):
        return np.ones(LANES, bool)
    if form.opcode == "fns":
        return words[-1] != 1 << 31
    if form.opcode in ("bfe", "bfi"):
        return (words[-2:] <= 255).all(0)
    return np.isfinite(last) if "rna" in form.line else (last == 0) | ~(last < 2.0**-126)


def same(form: Form, place: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Whether the results of the lanes match: same bits, both NaN, or within the error bound."""
    if place == len(form.results) or kind(form.results[place]) in "pq":
        return (left == right).all(1)
    size = BYTES[kind(form.results[place])]
    name = forms.typesOf(form.line.split()[0])[0].removesuffix("x2")
    if name not in FORMATS:
        return (left == right).all(1)
    word, mantissa = FORMATS[name]
    left, right = (np.ascontiguousarray(each[:, :max(size, word().itemsize)]).view(word)
                   for each in (left, right))
    bits = 8 * word().itemsize
    infinity = word(((1 << bits - 1 - mantissa) - 1) << mantissa)
    magnitude = word((1 << bits - 1) - 1)
    equal = (left == right) | ((left & magnitude > infinity) & (right & magnitude > infinity))
    if form.opcode in APPROXIMATE and (".approx" in form.line or ".full" in form.line):
        a, b = (values_of(name, each) for each in (left, right))
        with np.errstate(invalid="ignore"):
            equal |= np.abs(a - b) <= bound(form, name, b)
    return equal.all(1)


def values_of(name: str, bits: np.ndarray) -> np.ndarray:
    if name == "bf16":
        return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return bits.view({"f16": np.float16, "f32": np.float32, "f64": np.float64}[name]).astype(np.float64)


def bound(form: Form, name: str, value: np.ndarray) -> np.ndarray:
    """The allowed distance of the GPU's value from the machine's, which is correctly rounded."""
    return relative_bound(form, name, value) + (2**-149 if name == "f32" else 0)


def relative_bound(form: Form, name: str, value: np.ndarray) -> np.ndarray:
    if name == "f16":
        return np.abs(value) * 2**-9 + 2**-24
    if name == "bf16":
        return np.abs(value) * 2**-6
    if form.opcode in ("sin", "cos"):
        return np.full_like(value, 2**-14.0)
    if form.opcode == "lg2":
        return np.maximum(np.abs(value) * 2**-22, 2**-22)
    return np.abs(value) * (2**-10 if form.opcode == "tanh" else 2**-20 if name == "f64" else 2**-21.4)
