# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numeric bugs, each with its fix: the checks `origin` and `precision` name the operation of the bug, and nothing in the
twin.

A case is a body, in which BUG stands for one of two versions of some lines. The first line of the wrong version is
where the NaN, the infinity or the imprecise value comes from. %v and %w are tiles of 16 f32, loaded from parameters 1 and 2; the body defines
%r, which is stored to parameter 3.
"""

import dataclasses
import json
import pathlib
import subprocess
import sys

TILEWRIGHT, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
RAMP = "iota(16xf32)"
ZEROS = "zeros(16xf32)"

HEAD = """!array = !cuda_tile.tensor_view<16xf32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>
!short = !cuda_tile.partition_view<tile=(16), padding_value = PADDING, tensor_view<12xf32, strides=[1]>>
cuda_tile.module @origins {
  entry @k(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a, shape = [16], strides = [1] : !array
    %b_view = make_tensor_view %b, shape = [16], strides = [1] : !array
    %c_view = make_tensor_view %c, shape = [16], strides = [1] : !array
    %a_tiles = make_partition_view %a_view : !tiles
    %b_tiles = make_partition_view %b_view : !tiles
    %c_tiles = make_partition_view %c_view : !tiles
    %v, %tv = load_view_tko weak %a_tiles[%0] : !tiles, tile<i32> -> tile<16xf32>, token
    %w, %tw = load_view_tko weak %b_tiles[%0] : !tiles, tile<i32> -> tile<16xf32>, token
    %zero = constant <f32: 0.0> : tile<16xf32>
    %one = constant <f32: 1.0> : tile<16xf32>
    %ten = constant <f32: 10.0> : tile<16xf32>
"""
TAIL = """    %end = store_view_tko weak %r, %c_tiles[%0] : tile<16xf32>, !tiles, tile<i32> -> token
  }
}
"""


@dataclasses.dataclass
class Case:
    name: str
    body: str
    wrong: str
    right: str
    says: str  # a part of the message
    element: str = "[0]"
    arrays: tuple[str, ...] = (RAMP, ZEROS)
    padding: tuple[str, str] = ("zero", "zero")
    note: str = ""
    check: str = "origin"


def reduced(result: str, source: str, shape: str, op: str, start: str) -> str:
    """A reduction of all elements, spread again."""
    element = shape.rsplit("x", 1)[1]
    return f"""%{result}_s = reduce %{source} dim=0 identities=[{start} : {element}] : tile<{shape}> -> tile<{element}> (%e: tile<{element}>, %f: tile<{element}>) {{
      %g = {op} %e, %f : tile<{element}>
      yield %g : tile<{element}>
    }}
    %{result}_1 = reshape %{result}_s : tile<{element}> -> tile<1x{element}>
    %{result} = broadcast %{result}_1 : tile<1x{element}> -> tile<{shape}>"""


MINUS = "0xFF800000"
CASES = [
    Case("a row of a softmax whose elements are all masked", f"""%none = constant <f32: {MINUS}> : tile<16xf32>
    %mask = cmpf greater_than ordered %v, %ten : tile<16xf32> -> tile<16xi1>
    %scores = select %mask, %w, %none : tile<16xi1>, tile<16xf32>
    {reduced("max", "scores", "16xf32", "maxf", MINUS)}
    %empty = cmpf equal ordered %max, %none : tile<16xf32> -> tile<16xi1>
    %safe = select %empty, %zero, %max : tile<16xi1>, tile<16xf32>
    BUG
    %r = exp %shifted : tile<16xf32>""", "%shifted = subf %scores, %max : tile<16xf32>",
         "%shifted = subf %scores, %safe : tile<16xf32>", "subf: element [0]: of -inf and -inf the result is NaN",
         arrays=(ZEROS, ZEROS), note="the constant is -inf"),
    Case("a sum in f16", f"""%h = ftof %v : tile<16xf32> -> tile<16xf16>
    BUG""", reduced("s", "h", "16xf16", "addf", "0.0") + "\n    %r = ftof %s : tile<16xf16> -> tile<16xf32>",
         reduced("r", "v", "16xf32", "addf", "0.0"), "reduce: all 16 elements that it combines are finite, and the result is inf",
         element="", arrays=("f32[" + ",".join(["5000"] * 16) + "]", ZEROS)),
    Case("a conversion to f16", """BUG
    %r = ftof %h : tile<16xf16> -> tile<16xf32>""", "%h = ftof %v : tile<16xf32> -> tile<16xf16>",
         "%small = divf %v, %ten : tile<16xf32>\n    %h = ftof %small : tile<16xf32> -> tile<16xf16>",
         "ftof: element [3]: of 70000 the result is inf", "[3]", ("f32[1,2,3,70000,1,1,1,1,1,1,1,1,1,1,1,1]", ZEROS)),
    Case("the logarithm of a negative number", "BUG", "%r = log %v : tile<16xf32>",
         "%m = absf %v : tile<16xf32>\n    %r = log %m : tile<16xf32>", "log: element [1]: of -2.5 the result is NaN", "[1]",
         ("f32[1,-2.5,3,4,1,1,1,1,1,1,1,1,1,1,1,1]", ZEROS)),
    Case("the logarithm of zero", "BUG", "%r = log %v : tile<16xf32>",
         "%p = addf %v, %one : tile<16xf32>\n    %r = log %p : tile<16xf32>", "log: element [0]: of 0 the result is -inf"),
    Case("the root of a variance below zero", """%n = subf %v, %one : tile<16xf32>
    BUG""", "%r = sqrt %n : tile<16xf32>", "%m = maxf %n, %zero : tile<16xf32>\n    %r = sqrt %m : tile<16xf32>",
         "sqrt: element [0]: of -1 the result is NaN"),
    Case("a norm without epsilon", "BUG", "%r = rsqrt %w : tile<16xf32>",
         "%e = addf %w, %one : tile<16xf32>\n    %r = rsqrt %e : tile<16xf32>", "rsqrt: element [0]: of 0 the result is inf"),
    Case("a quotient by an empty sum", f"""{reduced("sum", "w", "16xf32", "addf", "0.0")}
    %is_empty = cmpf equal ordered %sum, %zero : tile<16xf32> -> tile<16xi1>
    %divisor = select %is_empty, %one, %sum : tile<16xi1>, tile<16xf32>
    BUG""", "%r = divf %w, %sum : tile<16xf32>", "%r = divf %w, %divisor : tile<16xf32>",
         "divf: element [0]: of 0 and 0 the result is NaN"),
    Case("a softmax that subtracts no maximum", f"""{reduced("max", "v", "16xf32", "maxf", MINUS)}
    %d = subf %v, %max : tile<16xf32>
    BUG""", "%r = exp %v : tile<16xf32>", "%r = exp %d : tile<16xf32>", "exp: element [2]: of 1000 the result is inf", "[2]",
         ("f32[0,0,1000,0,0,0,0,0,0,0,0,0,0,0,0,0]", ZEROS)),
    Case("a running maximum that begins with -inf", """%n = constant <i32: 2> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    BUG
    %r, %last = for %i in (%0 to %n, step %step) : tile<i32> iter_values(%sum = %zero, %max = %start) -> (tile<16xf32>, tile<16xf32>) {
      %new = maxf %max, %w : tile<16xf32>
      %old = subf %max, %new : tile<16xf32>
      %factor = exp %old : tile<16xf32>
      %scaled = mulf %sum, %factor : tile<16xf32>
      continue %scaled, %new : tile<16xf32>, tile<16xf32>
    }""", f"%start = constant <f32: {MINUS}> : tile<16xf32>", "%start = constant <f32: -1.0e30> : tile<16xf32>",
         "subf: element [0]: of -inf and -inf the result is NaN",
         arrays=(ZEROS, f"f32[{','.join(['-inf'] * 16)}]"), note="the constant is -inf"),
    Case("a mask by multiplication", """%big = divf %one, %w : tile<16xf32>
    %none = cmpf less_than ordered %v, %v : tile<16xf32> -> tile<16xi1>
    BUG""", "%r = mulf %big, %zero : tile<16xf32>", "%r = select %none, %big, %zero : tile<16xi1>, tile<16xf32>",
         "mulf: element [0]: of inf and 0 the result is NaN", note="divf: element [0]: of 1 and 0 the result is inf"),
    Case("a power of a negative number", "%half = constant <f32: 0.5> : tile<16xf32>\n    %n = subf %zero, %one : tile<16xf32>\n    BUG",
         "%r = pow %n, %half : tile<16xf32>", "%r = pow %one, %half : tile<16xf32>",
         "pow: element [0]: of -1 and 0.5 the result is NaN"),
    Case("a product with sums in f16", """%h = ftof %v : tile<16xf32> -> tile<16xf16>
    %left = reshape %h : tile<16xf16> -> tile<4x4xf16>
    BUG
    %r = reshape %p : tile<4x4xf32> -> tile<16xf32>""", """%q = mmaf %left, %left, %none : tile<4x4xf16>, tile<4x4xf16>, tile<4x4xf16>
    %p = ftof %q : tile<4x4xf16> -> tile<4x4xf32>""".replace("%none", "%acc"),
         """%p = mmaf %left, %left, %acc : tile<4x4xf16>, tile<4x4xf16>, tile<4x4xf32>""",
         "mmaf: element [0, 0]: all 9 elements that it combines are finite, and the result is inf", "[0, 0]",
         (f"f32[{','.join(['200'] * 16)}]", ZEROS)),
    Case("a product of many factors", "BUG", """%r = scan %v dim=0 reverse=false identities=[1.0 : f32] : tile<16xf32> -> tile<16xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = mulf %e, %f : tile<f32>
      yield %g : tile<f32>
    }""", """%l = log %v : tile<16xf32>
    %r = scan %l dim=0 reverse=false identities=[0.0 : f32] : tile<16xf32> -> tile<16xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }""", "scan: element [3]: all 4 elements that it combines are finite, and the result is inf", "[3]",
         (f"f32[{','.join(['1e10'] * 16)}]", ZEROS)),
    Case("a sum by atomic additions", """%s = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
    %big = constant <f32: 3.0e38> : tile<1xf32>
    %small = constant <f32: 3.0> : tile<1xf32>
    %old, %t1 = atomic_rmw_tko relaxed device %s, addf, %big : tile<1xptr<f32>>, tile<1xf32> -> tile<1xf32>, token
    BUG
    %r = addf %v, %one : tile<16xf32>""",
         "%new, %t2 = atomic_rmw_tko relaxed device %s, addf, %big token=%t1 : tile<1xptr<f32>>, tile<1xf32> -> tile<1xf32>, token",
         "%new, %t2 = atomic_rmw_tko relaxed device %s, addf, %small token=%t1 : tile<1xptr<f32>>, tile<1xf32> -> tile<1xf32>, token",
         "memory holds 3e+38, and the update by 3e+38 makes it infinite"),
    Case("an input with a NaN", "BUG\n    %r = addf %u, %w : tile<16xf32>",
         "%u, %t = load_view_tko weak %a_tiles[%0] : !tiles, tile<i32> -> tile<16xf32>, token",
         "%u, %t = load_view_tko weak %b_tiles[%0] : !tiles, tile<i32> -> tile<16xf32>, token",
         "element [5]: parameter 1 (16xf32)[5] is NaN before the launch", "[5]",
         ("f32[0,0,0,0,0,nan,0,0,0,0,0,0,0,0,0,0]", ZEROS)),
    Case("padding that is stored", """%short_view = make_tensor_view %a, shape = [12], strides = [1] : tensor_view<12xf32, strides=[1]>
    %short = make_partition_view %short_view : !short
    BUG""", "%r, %t = load_view_tko weak %short[%0] : !short, tile<i32> -> tile<16xf32>, token",
         "%r, %t = load_view_tko weak %short[%0] : !short, tile<i32> -> tile<16xf32>, token",
         "element [12]: the padding is -inf", "[12]", padding=("neg_inf", "zero")),
    Case("through memory", """BUG
    %t1 = store_view_tko weak %l, %b_tiles[%0] : tile<16xf32>, !tiles, tile<i32> -> token
    %u, %t2 = load_view_tko weak %b_tiles[%0] token=%t1 : !tiles, tile<i32> -> tile<16xf32>, token
    %r = addf %u, %one : tile<16xf32>""", "%l = log %v : tile<16xf32>", "%l = exp %v : tile<16xf32>",
         "log: element [4]: of -1 the result is NaN", "[4]", ("f32[1,1,1,1,-1,1,1,1,1,1,1,1,1,1,1,1]", ZEROS)),
    Case("through rearrangements", """BUG
    %m = reshape %l : tile<16xf32> -> tile<2x8xf32>
    %turned = permute %m [1, 0] : tile<2x8xf32> -> tile<8x2xf32>
    %twice = cat %turned, %turned dim = 1 : tile<8x2xf32>, tile<8x2xf32> -> tile<8x4xf32>
    %half = extract %twice[%0, %0] : tile<8x4xf32> -> tile<8x2xf32>
    %r = reshape %half : tile<8x2xf32> -> tile<16xf32>""", "%l = log %v : tile<16xf32>", "%l = exp %v : tile<16xf32>",
         "log: element [9]: of -1 the result is NaN", "[9]", ("f32[1,1,1,1,1,1,1,1,1,-1,1,1,1,1,1,1]", ZEROS)),
    Case("an infinite constant", "BUG", "%r = constant <f32: 0x7F800000> : tile<16xf32>", "%r = constant <f32: 3.0e38> : tile<16xf32>",
         "constant: element [0]: the constant is inf"),
    Case("a fused multiply-add", "%large = constant <f32: 1.0e30> : tile<16xf32>\n    BUG", "%r = fma %large, %large, %one : tile<16xf32>",
         "%r = fma %large, %one, %one : tile<16xf32>", "fma: element [0]: of 1e+30, 1e+30 and 1 the result is inf"),
    Case("a loop that doubles", """%n = constant <i32: 200> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %r = for %i in (%0 to %n, step %step) : tile<i32> iter_values(%so_far = %one) -> (tile<16xf32>) {
      BUG
      continue %more : tile<16xf32>
    }""", "%more = addf %so_far, %so_far : tile<16xf32>", "%more = addf %so_far, %one : tile<16xf32>",
         "addf: element [0]: of 1.7014118e+38 and 1.7014118e+38 the result is inf", note="in iteration 128 of this loop"),
]

NEAR = "f32[" + ",".join(str(4096 + number / 16) for number in range(16)) + "]"
EPSILON = "%epsilon = constant <f32: 1.0e-3> : tile<16xf32>"
PRECISION = [
    Case("a variance as a difference of squares", f"""%n = constant <f32: 0.0625> : tile<16xf32>
    {reduced("sum", "v", "16xf32", "addf", "0.0")}
    %mean = mulf %sum, %n : tile<16xf32>
    %d = subf %v, %mean : tile<16xf32>
    %d2 = mulf %d, %d : tile<16xf32>
    {reduced("deviations", "d2", "16xf32", "addf", "0.0")}
    %v2 = mulf %v, %v : tile<16xf32>
    {reduced("squares", "v2", "16xf32", "addf", "0.0")}
    %mean_of_squares = mulf %squares, %n : tile<16xf32>
    %square_of_mean = mulf %mean, %mean : tile<16xf32>
    {EPSILON}
    BUG
    %safe = addf %variance, %epsilon : tile<16xf32>
    %root = sqrt %safe : tile<16xf32>
    %r = divf %d, %root : tile<16xf32>""", "%variance = subf %mean_of_squares, %square_of_mean : tile<16xf32>",
         "%variance = mulf %deviations, %n : tile<16xf32>", "subf: element [0]: of ", arrays=(NEAR, ZEROS),
         note="elements are imprecise, the first is parameter 3 (16xf32)[0]", check="precision"),
    Case("counting in bf16", """%n = constant <i32: 1000> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %start = constant <bf16: 0.0> : tile<16xbf16>
    %unit = constant <bf16: 1.0> : tile<16xbf16>
    %wide_start = constant <f32: 0.0> : tile<16xf32>
    BUG""", """%sum = for %i in (%0 to %n, step %step) : tile<i32> iter_values(%so_far = %start) -> (tile<16xbf16>) {
      %more = addf %so_far, %unit : tile<16xbf16>
      continue %more : tile<16xbf16>
    }
    %r = ftof %sum : tile<16xbf16> -> tile<16xf32>""", """%r = for %i in (%0 to %n, step %step) : tile<i32> iter_values(%so_far = %wide_start) -> (tile<16xf32>) {
      %more = addf %so_far, %one : tile<16xf32>
      continue %more : tile<16xf32>
    }""", "addf: element [0]: of 256 and 1 the result is 256, and ", check="precision"),
    Case("fp8 without a scale", """BUG
    %r = ftof %e : tile<16xf8E4M3FN> -> tile<16xf32>""", "%e = ftof %v : tile<16xf32> -> tile<16xf8E4M3FN>",
         "%small = divf %v, %ten : tile<16xf32>\n    %e = ftof %small : tile<16xf32> -> tile<16xf8E4M3FN>",
         "ftof: element [1]: of 1000 the result is 448, and 1000 in f64", "[1]", ("f32[1,1000,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", ZEROS),
         check="precision"),
    Case("a gradient that f16 flushes to zero", """%tiny = constant <f32: 1.0e-9> : tile<16xf32>
    %scale = constant <f32: 1.0e6> : tile<16xf32>
    %g = mulf %v, %tiny : tile<16xf32>
    %scaled = mulf %g, %scale : tile<16xf32>
    BUG
    %wide = ftof %h : tile<16xf16> -> tile<16xf32>
    %r = mulf %wide, %scale : tile<16xf32>""", "%h = ftof %g : tile<16xf32> -> tile<16xf16>",
         "%h = ftof %scaled : tile<16xf32> -> tile<16xf16>", "ftof: element [0]: of 1e-09 the result is 0, and ",
         arrays=(f"f32[{','.join(['1'] * 16)}]", ZEROS), check="precision"),
    Case("log of one plus a little", """%tiny = constant <f32: 1.0e-9> : tile<16xf32>
    %scale = constant <f32: 1.0e9> : tile<16xf32>
    BUG
    %r = mulf %l, %scale : tile<16xf32>""", "%p = addf %one, %tiny : tile<16xf32>\n    %l = log %p : tile<16xf32>",
         "%l = mulf %tiny, %one : tile<16xf32>", "", check="precision"),
]
CASES += PRECISION


# Of numbers near 4096, rounding leaves up to 0.0005 where f64 has 0.0001.
USUAL = Case("what rounding leaves of a difference", """%third = constant <f32: 0.33333334> : tile<16xf32>
    %three = constant <f32: 3.0> : tile<16xf32>
    %part = mulf %v, %third : tile<16xf32>
    %all = mulf %part, %three : tile<16xf32>
    %r = subf %all, %v : tile<16xf32>BUG""", "", "", "", arrays=(NEAR, ZEROS), check="precision")


def findings(name: str, text: str, arrays: tuple[str, ...], check: str) -> list[dict]:
    source, report = FOLDER / f"{name}.mlir", FOLDER / f"{name}.json"
    source.write_text(text)
    subprocess.run([TILEWRIGHT, "run", source, "--grid", "1", *(word for array in arrays for word in ("--arg", array)),
                    "--arg", ZEROS, "--check", check, f"--report=json={report}"], check=True, capture_output=True)
    return json.loads(report.read_text())["findings"]


def program(case: Case, is_wrong: bool) -> tuple[str, int]:
    """The text, and the line of the bug."""
    version = case.wrong if is_wrong else case.right
    if "%acc" in case.wrong:
        kind = "f16" if is_wrong else "f32"
        version = f"%acc = constant <{kind}: 0.0> : tile<4x4x{kind}>\n    {version}"
    head = HEAD.replace("PADDING", case.padding[0 if is_wrong else 1])
    before = head + "    " + case.body[:case.body.index("BUG")]
    line = before.count("\n") + 1 + ("%acc" in case.wrong)
    return before + version + case.body[case.body.index("BUG") + 3:] + "\n" + TAIL, line


for number, case in enumerate(CASES):
    text, line = program(case, is_wrong=True)
    found = findings(f"wrong{number}", text, case.arrays, case.check)
    assert found, case.name
    first = found[0]
    if "iter_values(%so_far" not in case.wrong and "iter_values(%sum" not in case.body and case.says:  # else it is in a loop
        assert first["location"]["line"] == line, (case.name, first, line)
    assert case.says in first["message"], (case.name, first["message"])
    assert (first["element"] or "") == case.element, (case.name, first["element"])
    assert first["kind"] == "suspicious-value" and first["level"] == "warning" and first["check"] == case.check, first
    notes = json.dumps([first["related"], first["iterations"]]) + "".join(
        f"in iteration {loop['number']} of this loop" for loop in first["iterations"])
    assert case.note in notes, (case.name, notes)
    text, _ = program(case, is_wrong=False)
    found = findings(f"right{number}", text, case.arrays, case.check)
    assert not found, (case.name, found)
text, _ = program(USUAL, is_wrong=False)
assert not findings("usual", text, USUAL.arrays, USUAL.check)
print(f"{len(CASES)} bugs found, {len(CASES)} twins silent")
