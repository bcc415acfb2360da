# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits after which most programs stay valid: replacing words by others of the same kind, and moving
operations to places where producers do not put them. Random damage (scripts/mutate.py) mostly makes
invalid programs; these edits test what comes after the verifier.

They work on canonical text, which has one operation per line.
"""

import random
import re

import mutate

VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")
RESULT = re.compile(r"^\s*(%[\w$.-]+(?:, %[\w$.-]+)*)(?::\d+)? = ")

INTEGERS = "i1 i8 i16 i32 i64".split()
FLOATS = "f16 bf16 f32 tf32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN f8E5M3FNU".split()

# Words that can replace one another.
KINDS = [INTEGERS, FLOATS, *(kind.split() for kind in (
    "addi subi muli mini maxi andi ori xori shli shri divi remi mulhii",
    "addf subf mulf divf minf maxf remf pow atan2",
    "absf negf ceil floor sqrt rsqrt exp exp2 log log2 sin cos tan sinh cosh tanh",
    "absi negi",
    "equal not_equal less_than less_than_or_equal greater_than greater_than_or_equal",
    "signed unsigned",
    "ordered unordered",
    "nearest_even zero negative_inf positive_inf approx full nearest_int_to_zero",
    "weak relaxed acquire release acq_rel",
    "tl_blk device sys",
    "and or xor add addf max min umax umin xchg",
    "zero neg_zero nan pos_inf neg_inf",
    "none no_signed_wrap no_unsigned_wrap no_wrap",
    "true false",
    "i32 f32", "i64 f64", "i16 f16", "i8 f8E5M2",
    "reduce scan", "break continue yield return",
))]
KIND_OF = {}
for kind in KINDS:
    for member in kind:
        KIND_OF.setdefault(member, []).append(kind)
LONGEST_FIRST = sorted(KIND_OF, key=len, reverse=True)
WORD = re.compile(r"(?<![\w%@#!])(?:" + "|".join(LONGEST_FIRST) + r")(?!\w)")
# Element types also occur at the end of shapes: the i32 of 4x8xi32.
ELEMENT = re.compile(r"(?:(?<![\w%@#!])|(?<=x))(?:" + "|".join(INTEGERS + FLOATS) + r")(?!\w)")
NUMBER = re.compile(r"(?<![\w.%@#])-?\d+(?=x|\b)(?!\.\d)")
NUMBERS = """0 1 2 3 4 5 7 8 16 32 64 128 1024 65536 1048576 -1 -2 -128 127 255 256 2147483647
    -2147483648 4294967295 4294967296 1099511627776 9223372036854775807
    -9223372036854775808""".split()
DECIMAL = re.compile(r"(?<![\w.%@#])-?\d+\.\d+(?:[eE][+-]?\d+)?")
DECIMALS = "0.0 -0.0 1.0 0x7F800000 0x7FC00000 0x7FC0 0x7E00 1.0e38 1.0e-45 0.1".split()
SYMBOL = re.compile(r"@[\w$.-]+")
SYMBOLS = ['@"two words"', '@""', '@"\\00"', '@"a\\22b"', "@main", "@printf", "@malloc",
           "@memcpy", "@" + "long" * 400, '@"\\C3\\A9"', "@k_launch", "@llvm.memcpy"]
FOREIGN = [
    '"x.y"() : () -> ()',
    '%foreign = "x.y"() : () -> i32',
    '"x.y"() ({ "x.z"() : () -> () }) {a = 1 : i32} : () -> ()',
    'cuda_tile.module @inner { }',
    'cuda_tile.module @inner { entry @nested() { return } }',
    'builtin.module { }',
    '%foreign = builtin.unrealized_conversion_cast to i32',
    '%foreign = "cuda_tile.make_token"() : () -> !cuda_tile.token',
    '"cuda_tile.return"() : () -> ()',
    'entry @within() { return }',
    'global @within <i32: 1> : tile<1xi32>',
]
PARAMETERS = ["token", "ptr<f32>", "i32", "index", "none", "tensor<4xi32>", "vector<4xf32>",
              "memref<4xf32>", "tuple<i32, f32>", "(i32) -> i32", "tile<ptr<tile<4xf32>>>",
              "tile<4xptr<i32>>", "tile<8xi32>", "f32", "!x.y", "complex<f32>", "tile<i1>",
              "tile<f4E2M1FN>", "tile<f8E8M0FNU>", "tile<f8E5M3FNU>", "tensor_view<8xf32, strides=[1]>",
              "partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>"]
ATTRIBUTES = ["x = 1 : i32", 'x = "s"', "x", "x = [1, 2]", "x = {y = unit}", "x = @k", "x = i32",
              "x = 0.5 : f32", "x = affine_map<(a) -> (a)>", "x = dense<1> : tensor<4xi32>",
              "x = array<i32: 1, 2>", "x = -1 : si8", 'x = loc("f":1:2)', "x = #x.y",
              "cuda_tile.x = 1 : i32", "x = distinct[0]<unit>"]
LOCATIONS = ['loc("f.py":1:2)', "loc(unknown)", 'loc(fused["a", "b":3:4])', 'loc("name"("f":1:1))',
             'loc(callsite("a" at "b":1:1))', 'loc(fused<"m">["a"])', 'loc("":0:0)', 'loc("\\00":1:1)',
             'loc("f":4294967295:4294967295)']


def edit(rng: random.Random, text: str, texts: list[str]) -> str:
    for _ in range(rng.choice((1, 1, 2, 2, 3, 5))):
        text = rng.choice(EDITS)(rng, text, texts)[:mutate.LONGEST]
    return text


# --- Words --------------------------------------------------------------------------------


def replace_one(rng, text: str, pattern: re.Pattern, by) -> str:
    """Replaces a random match by the result of `by`."""
    matches = list(pattern.finditer(text))
    if not matches:
        return text
    match = rng.choice(matches)
    return text[:match.start()] + by(match[0]) + text[match.end():]


def replace_everywhere(rng, text: str, pattern: re.Pattern, values: list[str]) -> str:
    """Chooses a random word that matches, and replaces it everywhere, so that types still agree."""
    found = sorted(set(pattern.findall(text)))
    if not found:
        return text
    old, new = rng.choice(found), rng.choice(values)
    return pattern.sub(lambda match: new if match[0] == old else match[0], text)


def other_word(rng, text, texts):
    return replace_one(rng, text, WORD, lambda word: rng.choice(rng.choice(KIND_OF[word])))


def other_element(rng, text, texts):
    return replace_everywhere(rng, text, ELEMENT, rng.choice((INTEGERS, FLOATS)))


def other_number(rng, text, texts):
    return replace_one(rng, text, NUMBER, lambda _: rng.choice(NUMBERS))


def other_extent(rng, text, texts):
    return replace_everywhere(rng, text, NUMBER, NUMBERS)


def other_float(rng, text, texts):
    return replace_one(rng, text, DECIMAL, lambda _: rng.choice(DECIMALS))


def other_symbol(rng, text, texts):
    return replace_everywhere(rng, text, SYMBOL, SYMBOLS)


# --- Lines --------------------------------------------------------------------------------


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def is_operation(line: str) -> bool:
    """Whether the line is a complete operation of an entry: no region begins or ends there."""
    inner = line.strip()
    return indent_of(line) >= 4 and bool(inner) and inner[-1] not in "{" and inner[0] not in "}^"


def results_of(line: str) -> list[str]:
    match = RESULT.match(line)
    return match[1].split(", ") if match else []


def operations(lines: list[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if is_operation(line)]


def insert(rng, text, what: str) -> str:
    lines = text.split("\n")
    places = operations(lines)
    if not places:
        return text
    at = rng.choice(places)
    return "\n".join(lines[:at] + [" " * indent_of(lines[at]) + what] + lines[at:])


def foreign(rng, text, texts):
    return insert(rng, text, rng.choice(FOREIGN))


def borrow(rng, text, texts):
    """Copies an operation of another program, with operands from this one."""
    others = [line for line in rng.choice(texts).split("\n") if is_operation(line)]
    names = VALUE.findall(text)
    if not others or not names:
        return text
    line = rng.choice(others).strip()
    fresh = {name: f"%fresh{rng.randrange(10**6)}" for name in results_of(line)}
    return insert(rng, text, VALUE.sub(lambda v: fresh.get(v[0]) or rng.choice(names), line))


def repeat_later(rng, text, texts):
    """Repeats an operation, with unused results, or with results that replace the old ones from there on."""
    lines = text.split("\n")
    places = operations(lines)
    if not places:
        return text
    at = rng.choice(places)
    to = rng.choice([place for place in places if place >= at])
    fresh = {name: f"%again{rng.randrange(10**6)}" for name in results_of(lines[at])}
    rename = lambda line: VALUE.sub(lambda v: fresh.get(v[0], v[0]), line)
    rest = lines[to + 1:]
    if rng.random() < 0.5:
        rest = [rename(line) for line in rest]
    return "\n".join(lines[:to + 1] + [rename(lines[at])] + rest)


def drop_unused(rng, text, texts):
    lines = text.split("\n")
    unused = [at for at in operations(lines)
              if all(len(re.findall(re.escape(name) + r"(?![\w$.-])", text)) == 1
                     for name in results_of(lines[at]))]
    if not unused:
        return text
    at = rng.choice(unused)
    return "\n".join(lines[:at] + lines[at + 1:])


WRAPS = [
    ("%w = constant <i1: {bit}> : tile<i1>\nif %w {", "}"),
    ("%w = constant <i1: {bit}> : tile<i1>\nif %w {\n} else {", "}"),
    ("loop {", "break\n}"),
    ("%w = constant <i1: {bit}> : tile<i1>\nloop {\nif %w {\nbreak\n}", "break\n}"),
    ("%w = constant <i1: {bit}> : tile<i1>\nif %w {", "return\n}"),
    ("%w = constant <i32: {number}> : tile<i32>\n%v = constant <i32: 3> : tile<i32>\n"
     "%u = constant <i32: 1> : tile<i32>\nfor %i in (%w to %v, step %u) : tile<i32> {", "}"),
    ("%w = constant <i64: {number}> : tile<i64>\n%v = constant <i64: 2> : tile<i64>\n"
     "%u = constant <i64: 1> : tile<i64>\nfor %i in (%w to %v, step %u) : tile<i64> {",
     "continue\n}"),
]


def wrap(rng, text, texts):
    """Moves a few operations into a region; their results are not visible after it."""
    lines = text.split("\n")
    places = operations(lines)
    if not places:
        return text
    first = rng.choice(places)
    last = first
    while (last + 1 < len(lines) and is_operation(lines[last + 1])
           and indent_of(lines[last + 1]) == indent_of(lines[first]) and rng.random() < 0.8):
        last += 1
    if lines[last].strip().split(" ")[0] in ("return", "yield", "break", "continue"):
        last -= 1
    if last < first:
        return text
    opening, closing = rng.choice(WRAPS)
    tag = str(rng.randrange(10**6))
    opening = opening.replace("{bit}", rng.choice(("true", "false")))
    opening = opening.replace("{number}", rng.choice(("0", "1", "5")))
    opening = re.sub(r"%([wvui])\b", rf"%\g<1>{tag}", opening)
    return "\n".join([*lines[:first], *opening.split("\n"), *lines[first:last + 1],
                      *closing.split("\n"), *lines[last + 1:]])


# --- Other parts of a module ----------------------------------------------------------------


def parameter(rng, text, texts):
    """Adds a parameter, or changes the type of an existing one."""
    kind = rng.choice(PARAMETERS)
    if rng.random() < 0.5:
        added = f"%more{rng.randrange(10**6)}: {kind}, "
        more = re.sub(r"entry @[^(]*\(", lambda m: m[0] + added, text, count=1)
        return more.replace(", )", ")", 1)
    return replace_one(rng, text, re.compile(r"(?<=: )tile<[^()]*?>(?=[,)] ?)"), lambda _: kind)


def attribute(rng, text, texts):
    added = rng.choice(ATTRIBUTES)
    lines = text.split("\n")
    at = rng.choice(operations(lines) or [0])
    place = re.search(r" : (?!.* : )", lines[at])
    if not place:
        return text.replace("cuda_tile.module", "cuda_tile.module", 1)
    lines[at] = lines[at][:place.start()] + " {" + added + "}" + lines[at][place.start():]
    return "\n".join(lines)


def module_attribute(rng, text, texts):
    added = f" attributes {{{rng.choice(ATTRIBUTES)}}}"
    return re.sub(r"cuda_tile\.module @[^ ]+", lambda m: m[0] + added, text, count=1)


def location(rng, text, texts):
    lines = text.split("\n")
    for at in rng.sample(operations(lines), min(len(operations(lines)), rng.choice((1, 1, 5)))):
        lines[at] += " " + rng.choice(LOCATIONS)
    return "\n".join(lines)


def two_entries(rng, text, texts):
    """Adds the contents of another module, renamed, to the module."""
    match = re.search(r"cuda_tile\.module @[^{]*\{\n(.*)\n\s*\}\s*$", rng.choice(texts), re.DOTALL)
    start = re.search(r"cuda_tile\.module @[^{]*\{\n", text)
    if not match or not start:
        return text
    tag = str(rng.randrange(10**6))
    renamed = SYMBOL.sub(lambda symbol: symbol[0] + tag, match[1])
    return text[:start.end()] + renamed + "\n" + text[start.end():]


def damage(rng, text, texts):
    others = [other.encode() for other in rng.sample(texts, 3)]
    return rng.choice(mutate.DAMAGES)(rng, text.encode(), others).decode(errors="replace")


EDITS = (other_word, other_word, other_word, other_element, other_number, other_extent,
         other_extent, other_float, other_symbol, foreign, borrow, borrow, repeat_later,
         repeat_later, drop_unused, wrap, wrap, wrap, parameter, attribute, module_attribute,
         location, two_entries, damage)
