# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuTile kernels, launched directly."""

import functools
import inspect
import re
import subprocess
import warnings
from typing import Annotated

import cuda.tile as ct
import ml_dtypes
import numpy as np
import pytest
import tilewright
from cuda.tile.compilation import CallingConvention
from tilewright import _files, _help, cutile
from tilewright.cutile import _source

DEVICES = pytest.mark.parametrize("device", ["cpu", "reference"])


@ct.kernel
def add(x, y, z, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (tile,)) + ct.load(y, (i,), (tile,)))


@ct.kernel
def matmul(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.cdiv(a.shape[1], tk)):
        left = ct.load(a, (i, k), (tm, tk), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, (k, j), (tk, tn), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total)


# Missing in the oldest cuda-tile releases.
SCALAR64 = getattr(ct, "ScalarInt64", int)
WIDE = getattr(ct, "IndexedWithInt64", None)
STATIC = getattr(ct, "ArrayAnnotation", lambda **options: None)
KNOWS_STATIC = "static_shape_dims" in inspect.signature(STATIC).parameters


@ct.kernel
def scale(x, y, factor, offset: SCALAR64, negate: bool):
    value = ct.load(x, (0,), (16,)) * factor + offset
    if negate:
        value = -value
    ct.store(y, (0,), value)


@ct.kernel
def copy(x, y):
    ct.store(y, (0,), ct.load(x, (0,), (16,)))


@ct.kernel
def combine(arrays, out, weights):
    for k in range(len(arrays)):
        value = ct.load(arrays[k], (0,), (16,))
        ct.store(out, (k,), ct.reshape(ct.sum(value) * weights[0] + weights[1], (1,)))


@DEVICES
@pytest.mark.parametrize("count", [1, 16, 1000, 1024])
def test_add(count, device):
    x, y = np.arange(count, dtype=np.float32), np.full(count, 2, np.float32)
    z = np.zeros(count, np.float32)
    cutile.launch(-(-count // 128), add, (x, y, z, 128), device=device)
    assert (z == x + y).all()


@DEVICES
@pytest.mark.parametrize("order", ["C", "F"])
def test_matmul(order, device):
    random = np.random.default_rng(1)
    a = np.asarray(random.standard_normal((70, 50)), np.float32, order=order)
    b = np.asarray(random.standard_normal((50, 33)), np.float32, order=order)
    c = np.zeros((70, 33), np.float32, order=order)
    cutile.launch((3, 2), matmul, (a, b, c, 32, 32, 16), device=device)
    # 50 products in f32: each rounds once, by at most 2^-24 of the sum of magnitudes.
    np.testing.assert_allclose(c, a.astype(np.float64) @ b, atol=50 * 2**-23 * 20)


@DEVICES
def test_scalars(device):
    x, y = np.arange(16, dtype=np.float64), np.zeros(16)
    large = 2**40 if SCALAR64 is not int else 2**20
    for factor, offset, negate in ((2, large, False), (np.int32(3), -1, True), (1, 0, np.True_)):
        cutile.launch(1, scale, (x, y, factor, offset, negate), device=device)
        assert (y == (x * factor + offset) * (-1 if negate else 1)).all()
    cutile.launch(1, scale, (x, y, 0.5, 1, False), device=device)
    assert (y == x * 0.5 + 1).all()


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
                                   "uint32", "uint64", "float16", "float32", "float64",
                                   ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn,
                                   ml_dtypes.float8_e5m2], ids=lambda d: getattr(d, "__name__", d))
@DEVICES
def test_every_element_type(dtype, device):
    x, y = (np.arange(16) % 8).astype(dtype), np.zeros(16, dtype)
    cutile.launch(1, copy, (x, y), device=device)
    assert x.tobytes() == y.tobytes()


@ct.kernel
def copy_f4(x, y, wide, sizes):
    tile = ct.load(x, (ct.bid(0), 0), (2, 16))
    ct.store(y, (ct.bid(0), 0), tile)
    ct.store(wide, (ct.bid(0), 0), ct.astype(tile, ct.float32))
    if ct.bid(0) == 0:
        for dim in ct.static_iter(range(2)):
            ct.scatter(sizes, dim, x.shape[dim])
            ct.scatter(sizes, 2 + dim, x.strides[dim])


@ct.kernel
def take_from_list(arrays, y):
    ct.store(y, (0, 0), ct.load(arrays[1], (0, 0), (2, 16)))


F4_VALUES = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6]
HAS_F4 = pytest.mark.skipif(not hasattr(ct, "float4_e2m1fn"),
                            reason="this release of cuda-tile has no 4-bit floats")


@HAS_F4
@DEVICES
def test_packed_arrays_of_4_bit_floats(device):
    # The values of the patterns 0 to 15 (OCP MX formats, 5.3.3); each row starts with another one.
    values = np.array([F4_VALUES[k:] + F4_VALUES[:k] for k in range(4)], np.float32)
    x = tilewright.pack_f4(values.astype(ml_dtypes.float4_e2m1fn))
    assert x.shape == (4, 8) and x.dtype == tilewright.float4_e2m1fn_x2
    assert x.view(np.uint8)[0].tolist() == [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]
    y, wide, sizes = np.zeros_like(x), np.zeros((4, 16), np.float32), np.zeros(4, np.int32)
    cutile.launch(2, copy_f4, (x, y, wide, sizes), device=device)
    assert (y == x).all() and (wide == values).all()
    assert sizes.tolist() == [4, 16, 16, 1]  # in elements
    assert (tilewright.unpack_f4(y).astype(np.float32) == values).all()
    out = np.zeros_like(x[:2])
    cutile.launch(1, take_from_list, ([x[:2], x[2:]], out), device=device)
    assert (out == x[2:]).all()


@HAS_F4
@DEVICES
def test_packed_tensors_of_pytorch(device):
    torch = pytest.importorskip("torch")
    x = torch.arange(32, dtype=torch.uint8).reshape(4, 8).view(torch.float4_e2m1fn_x2)
    y = torch.zeros((4, 8), dtype=torch.uint8)
    wide, sizes = np.zeros((4, 16), np.float32), np.zeros(4, np.int32)
    cutile.launch(2, copy_f4, (x, y.view(torch.float4_e2m1fn_x2), wide, sizes), device=device)
    assert (y == torch.arange(32).reshape(4, 8)).all()
    expected = [F4_VALUES[bits] for byte in range(32) for bits in (byte & 15, byte >> 4)]
    assert wide.ravel().tolist() == expected and sizes.tolist() == [4, 16, 16, 1]


@HAS_F4
@pytest.mark.parametrize("x, error, message", [
    (np.zeros((4, 16), ml_dtypes.float4_e2m1fn), TypeError, r"parameter x: .* pass tilewright\.pack_f4"),
    (np.zeros((8, 8), tilewright.float4_e2m1fn_x2)[::2], ValueError, "parameter x: .* row-major"),
    (np.zeros((), tilewright.float4_e2m1fn_x2), ValueError, "parameter x: .* at least one dimension")])
def test_arrays_of_4_bit_floats_that_do_not_fit(x, error, message):
    y = np.zeros((4, 8), tilewright.float4_e2m1fn_x2)
    with pytest.raises(error, match=message):
        cutile.launch(1, copy_f4, (x, y, np.zeros((4, 16), np.float32), np.zeros(4, np.int32)))


@ct.kernel
def convert_e5m3(x, y, wide):
    narrow = ct.astype(ct.load(x, (0,), (256,)), y.dtype)
    ct.store(y, (0,), narrow)
    ct.store(wide, (0,), ct.astype(narrow, ct.float32))


@pytest.mark.skipif(not hasattr(ct, "float8_e5m3fnu"),
                    reason="this release of cuda-tile has no float8_e5m3fnu")
@DEVICES
def test_all_values_of_e5m3(device):
    # 13.4, section 8.2: eight values per power of two, with a NaN instead of the last one.
    values = [np.ldexp(bits % 8 + 8 * (bits > 7), max(bits // 8, 1) - 18) for bits in range(255)]
    x, wide = np.array([*values, np.nan], np.float32), np.zeros(256, np.float32)
    y = np.zeros(256, tilewright.float8_e5m3fnu)
    cutile.launch(1, convert_e5m3, (x, y, wide), device=device)
    assert y.view(np.uint8).tolist() == list(range(256))
    assert np.array_equal(wide, x, equal_nan=True)
    assert cutile.export(convert_e5m3, (x, y, wide))[8:10] == b"\x0d\x04"  # 13.4


@pytest.mark.skipif(not hasattr(CallingConvention, "cutile_python_v2"),
                    reason="this release of cuda-tile takes no tuples")
@DEVICES
def test_lists_and_tuples(device):
    arrays = [np.arange(16, dtype=np.float32) + k for k in range(3)]
    out = np.zeros(3, np.float32)
    cutile.launch(1, combine, (arrays, out, (2, 0.5)), device=device)
    assert out.tolist() == [float(a.sum()) * 2 + 0.5 for a in arrays]


@ct.kernel
def behind(arrays, out):
    ct.store(out, (0,), ct.load(arrays[len(arrays)], (0,), (16,)))


def test_the_checks_know_the_end_of_a_list():
    arrays = [np.zeros(16, np.float32), np.zeros(16, np.float32)]
    with pytest.raises(tilewright.KernelError) as caught:
        cutile.launch(1, behind, (arrays, np.zeros(16, np.float32)), check=True)
    assert caught.value.findings[0].rule == "index-space"


@DEVICES
def test_views_of_all_kinds(device):
    memory = np.arange(200, dtype=np.float32)
    for x in (memory[1:17], memory[:64:4], np.broadcast_to(memory[5], (16,)), memory[100:116]):
        y = np.zeros(40, np.float32)
        cutile.launch(1, copy, (x, y[3:35:2]), device=device)
        assert (y[3:35:2] == x).all() and not y[4:35:2].any()


def test_arrays_that_overlap_may_alias():
    memory = np.arange(1024, dtype=np.float32)
    cutile.launch(8, add, (memory, memory, memory, 128), check=True)
    assert (memory == 2 * np.arange(1024)).all()
    cutile.launch(8, add, (memory, memory, memory, 128))
    assert (memory == 4 * np.arange(1024)).all()


@DEVICES
def test_some_arrays_overlap_and_others_do_not(device):
    x, y = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32)
    cutile.launch(8, add, (x, y, x, 128), device=device)
    assert (x == np.arange(1024) + 1).all()
    cutile.launch(8, add, (x, x, y, 128), device=device)
    assert (y == 2 * x).all()
    cutile.launch(1, add, (x[0:128], x[64:192], x[32:160], 128), device=device)


def test_read_only_arrays_in_lists():
    arrays = [np.zeros(16, np.float32), np.zeros(16, np.float32)]
    arrays[1].flags.writeable = False
    with pytest.raises(ValueError, match="argument arrays: array 1 of the list is read-only"):
        cutile.launch(1, combine, (arrays, np.zeros(2, np.float32), (1, 0.0)))


def test_read_only_arrays():
    x, y = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    x.flags.writeable = False
    cutile.launch(1, copy, (x, y))
    assert (x == y).all()
    with pytest.raises(ValueError, match="argument y: the kernel writes to this array, and it is read-only"):
        cutile.launch(1, copy, (y, x))


def test_code_is_kept_for_each_kind_of_arguments():
    x, y = np.zeros((2, 64), np.float32)
    first = cutile.compile(copy, (x, y))
    assert cutile.compile(copy, (x[16:], y)) is first
    unaligned = cutile.compile(copy, (x[1:17], y))
    assert unaligned is not first  # not a multiple of 16 bytes
    assert cutile.compile(copy, (x[::2], y)) not in (first, unaligned)
    assert cutile.compile(copy, (x, y), device="reference") is not first
    assert repr(first) == ("<tilewright.Kernel @copy(x, x.shape[0], x.strides[0], y, y.shape[0], y.strides[0]) "
                           "on cpu>")


@pytest.mark.skipif(not KNOWS_STATIC, reason="this release of cuda-tile has no static extents")
@DEVICES
def test_annotations_of_arrays(device):
    @ct.kernel
    def wide(x: WIDE, y: Annotated[ct.Array, STATIC(static_shape_dims=(0,))]):
        ct.store(y, (0,), ct.load(x, (0,), (y.shape[0],)))

    x, y = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    cutile.launch(1, wide, (x, y), device=device)
    assert (x == y).all()
    assert "i64" in tilewright.inspect(wide, (x, y)).text


def test_inspect_has_the_remarks_of_the_command_line(tmp_path):
    @ct.kernel
    def softmax(x, y):
        row = ct.load(x, (ct.bid(0), 0), (1, 256))
        power = ct.exp(row - ct.max(row, 1, keepdims=True))
        ct.store(y, (ct.bid(0), 0), power / ct.sum(power, 1, keepdims=True))

    arrays = np.zeros((2, 4, 256), np.float32)
    program = tmp_path / "softmax.tileirbc"
    program.write_bytes(cutile.export(softmax, tuple(arrays)))
    ended = subprocess.run([_files.find("bin/tilewright"), "compile", program, "--remarks", "-o", tmp_path / "k.o"],
                           check=True, capture_output=True, text=True)
    remarks = tilewright.inspect(softmax, tuple(arrays)).remarks
    assert remarks == ended.stderr
    line = softmax._annotated_function.pyfunc.__code__.co_firstlineno + 3  # exp: below @ct.kernel and def
    assert re.search(rf"^{re.escape(__file__)}:{line}:\d+: remark: exp: ", remarks, re.MULTILINE)


@pytest.mark.parametrize("args, error, message", [
    ((1,), TypeError, r"takes 4 arguments \(x, y, z, tile\), but got 1"),
    ("xyz", TypeError, "expected a tuple"),
    ((np.zeros(4), None, np.zeros(4), 4), TypeError, "parameter y: expected an array, but got NoneType"),
    ((np.zeros(4)[::-1], np.zeros(4), np.zeros(4), 4), ValueError, "parameter x: .* negative"),
    ((np.zeros(4, complex), np.zeros(4), np.zeros(4), 4), TypeError, "parameter x: arrays of complex128"),
    ((np.zeros(4), np.zeros(4), 2**31, 4), OverflowError, "parameter z: 2147483648 does not fit"),
    ((np.zeros(4), np.zeros(4), [], 4), ValueError, "parameter z: a list of arrays needs at least one"),
    ((np.zeros(4), np.zeros(4), [np.zeros(4), np.zeros((2, 2))], 4), TypeError, "one type and rank"),
])
def test_arguments_that_do_not_fit(args, error, message):
    with pytest.raises(error, match=message):
        cutile.launch(1, add, args)


@pytest.mark.parametrize("value, found", [
    (np.zeros(4), "ndarray"), ([4], "list"), ("16", "str"), (None, "NoneType"), (object(), "object"),
    (ct.float32, "DType"), (1j, "complex")], ids=lambda value: type(value).__name__)
def test_what_is_no_constant(value, found):
    x = np.zeros(16, np.float32)
    with pytest.raises(TypeError, match="^parameter tile: expected a bool, an int or a float for a "
                                        f"constant, but got {found}$"):
        cutile.launch(1, add, (x, x, x, value))


@ct.kernel
def with_constant_pair(x, pair: ct.Constant[tuple[int, int]]):
    ct.store(x, (0,), ct.full((pair[0],), pair[1], ct.float32))


@pytest.mark.skipif(not hasattr(CallingConvention, "cutile_python_v2"),
                    reason="this release of cuda-tile takes no tuples")
def test_constants_in_tuples():
    x = np.zeros(16, np.float32)
    cutile.launch(1, with_constant_pair, (x, (16, 3)))
    assert (x == 3).all()
    with pytest.raises(TypeError, match="^parameter pair: item 1: expected a bool, .* but got list$"):
        cutile.launch(1, with_constant_pair, (x, (16, [3])))


def test_what_is_no_kernel():
    with pytest.raises(TypeError, match="decorator @ct.kernel, but got function"):
        cutile.launch(1, lambda x: x, (1,))


def line_of(text: str) -> int:
    """The first line of this file that contains the text."""
    return 1 + next(i for i, line in enumerate(open(__file__)) if text in line)


@ct.kernel
def broken_bounds(x, y):
    ct.store(y, (ct.bid(0) + 1,), ct.load(x, (ct.bid(0),), (16,)))  # one tile too far


@ct.kernel
def broken_race(x, y):
    ct.store(y, (0,), ct.load(x, (ct.bid(0),), (16,)))  # all blocks store here


@ct.kernel
def broken_assert(x, y):
    ct.assert_(ct.load(x, (0,), (16,)) > 0, "x must be positive")  # x[0] is 0


@ct.kernel
def broken_gather(x, y):
    ct.store(y, (0,), ct.gather(x, ct.arange(64, dtype=ct.int32), check_bounds=False))  # x has 32


@pytest.mark.parametrize("kernel, comment, rule", [
    (broken_gather, "x has 32", "bounds"),
    (broken_bounds, "one tile too far", "index-space"),
    (broken_race, "all blocks store here", "race"),
    (broken_assert, "x[0] is 0", "assert")], ids=["gather", "tile", "race", "assert"])
def test_a_broken_kernel_is_named_with_its_line(kernel, comment, rule):
    x = np.arange(32, dtype=np.float32)
    y = np.zeros(64 if kernel is broken_gather else 32, np.float32)
    with pytest.raises(tilewright.KernelError) as caught:
        cutile.launch(2, kernel, (x, y), check=True)
    finding = caught.value.findings[0]
    assert finding.rule == rule
    assert (finding.place.file, finding.place.line) == (__file__, line_of("# " + comment))


def test_the_message_has_the_line_itself_and_help():
    x = np.zeros(32, np.float32)
    with pytest.raises(tilewright.KernelError) as caught:
        cutile.launch(3, broken_bounds, (x, np.zeros(64, np.float32)), check=True)
    lines = str(caught.value).split("\n")
    at = lines.index("    ct.store(y, (ct.bid(0) + 1,), ct.load(x, (ct.bid(0),), (16,)))  # one tile too far")
    column = lines[at].index("ct.load")
    assert lines[at + 1] == " " * column + "^"
    # Columns count from 1, as in editors.
    assert lines[at - 1].startswith(f"{__file__}:{line_of('# one tile too far')}:{column + 1}: error: ")
    assert caught.value.findings[0].place.column == column + 1
    assert lines.count("help: index-space: " + caught.value.findings[0].help) == 1
    assert caught.value.findings[0].help.startswith("launch no more tile blocks than")


def test_advice_is_in_words_of_cutile():
    """Everything that the help texts mention exists: operations and their parameters, values, and checks."""
    for rule, advice in _help.ADVICE.items():
        for name in re.findall(r"\bct\.([A-Za-z0-9_.]*[A-Za-z0-9_])", advice):
            assert functools.reduce(getattr, name.split("."), ct), name
        if rule != "deadlock":
            tilewright.load(TRIVIAL)["e"].compile(check=rule)
    parameters = {name for call in (ct.load, ct.store, ct.gather, ct.scatter, cutile.launch)
                  for name in inspect.signature(call).parameters}
    named = set(re.findall(r"\b([a-z_]+)=", " ".join(_help.ADVICE.values()))) - {"requirements"}
    assert named == {"check", "check_bounds", "mask", "memory_order", "memory_scope", "padding_mode",
                     "padding_value"} and named <= parameters


TRIVIAL = "cuda_tile.module @m { entry @e() { } }"


def test_places_without_a_line():
    for text in ("a.py:1:1: error: x", f"{__file__}:999999:1: error: x", f"{__file__}:1:999: note: x",
                 "kernel k: byte 0x5: x"):
        assert _source.with_lines(text) == text


def test_marks_count_bytes_and_come_once(tmp_path):
    path = tmp_path / "grüße.py"
    path.write_text('  é = f("ü") + g(1)\n', encoding="utf-8")
    before = '  é = f("ü") + '
    text = f"{path}:1:{len(before.encode()) + 1}: error: x"
    assert _source.with_lines(f"{text}\n{text}") == f'''{text}
    é = f("ü") + g(1)
                 ^
{text}'''


@ct.kernel
def eighth(x, y):
    ct.store(y, (0,), ct.exp(ct.load(x, (0,), (16,))))  # of 8 bits


@ct.kernel
def enormous(x, y):
    ct.store(y, (0,), ct.full((1 << 25,), 0, ct.float32))  # 33,554,432 elements


@pytest.mark.parametrize("kernel, dtype, comment, message", [
    (eighth, ml_dtypes.float8_e4m3fn, "of 8 bits",
     "'cuda_tile.exp' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got "
     "'!cuda_tile.tile<16xf8E4M3FN>'"),
    (enormous, np.float32, "33,554,432 elements",
     "tile would exceed the maximum of 16777216 elements, got 33554432")],
    ids=["rule", "format"])
def test_what_cuda_tile_lets_pass_is_named_with_its_line(kernel, dtype, comment, message):
    x, y = np.zeros((2, 16), dtype)
    with pytest.raises(tilewright.InvalidProgramError) as caught:
        cutile.launch(1, kernel, (x, y))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.place.file, diagnostic.place.line) == (__file__, line_of("# " + comment))
    assert diagnostic.message.endswith(message)
    first, line, mark = str(caught.value).split("\n")[:3]
    assert first == str(diagnostic)
    assert line[mark.index("^"):].startswith("ct.")


def test_lines_of_scripts_only(tmp_path):
    for name, shown in (("k.py", ["    two", "    ^"]), ("k.mlir", [])):
        path = tmp_path / name
        path.write_text("one\n  two\n")
        text = f"{path}:2:3: warning: why"
        assert cutile._source.with_lines(text, only_scripts=True).split("\n") == [text, *shown]


@ct.kernel
def broken_padding(x, y):
    ct.store(y, (0,), ct.reshape(ct.sum(ct.load(x, (0,), (16,))), (1,)))  # no padding is asked for


def test_a_wrong_padding_is_named_with_its_line():
    x, y = np.ones(10, np.float32), np.zeros(1, np.float32)
    with pytest.warns(tilewright.TilewrightWarning) as caught:
        cutile.launch(1, broken_padding, (x, y), check=True)
    (warning,) = caught
    place = f"{__file__}:{line_of('# no padding is asked for')}:"
    assert str(warning.message).startswith(place)
    assert "element [10]: outside of the tensor" in str(warning.message)
    line, mark = str(warning.message).split("\n")[1:3]
    assert line[mark.index("^"):].startswith("ct.store(y, (0,), ")
    assert "\nhelp: unspecified: give padding_mode=ct.PaddingMode.ZERO to ct.load" in str(warning.message)
    assert str(warning.message).endswith('launch with check="no-unspecified"')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cutile.launch(1, broken_padding, (x, y), check="no-unspecified")
    assert warning.filename == __file__  # where the launch is
    cutile.launch(1, broken_padding, (np.ones(16, np.float32), y), check=True)


@ct.kernel
def broken_in_an_argument(arrays, x, pair, which: ct.Constant[int]):
    sixteen = ct.arange(16, dtype=ct.int32)
    array = arrays[1] if which == 0 else x if which == 1 else pair[1]
    ct.scatter(array, sixteen, ct.zeros((16,), ct.float32), check_bounds=False)


@pytest.mark.skipif(not hasattr(CallingConvention, "cutile_python_v2"),
                    reason="this release of cuda-tile takes no tuples")
@pytest.mark.parametrize("which, name", [(0, "arrays[1] (8xf32)"), (1, "array x (8xf32)"),
                                         (2, "array pair[1] (8xf32)")])
def test_findings_call_arguments_as_the_kernel_does(which, name):
    long, short = np.zeros(16, np.float32), np.zeros((3, 8), np.float32)
    with pytest.raises(tilewright.KernelError, match=re.escape(f"just past the end of {name}")):
        cutile.launch(1, broken_in_an_argument, ([long, short[0]], short[1], (2, short[2]), which),
                      check=True)


def test_findings_call_arrays_that_overlap_by_all_their_names():
    x = np.zeros(16, np.float32)
    with pytest.raises(tilewright.KernelError) as caught:
        cutile.launch(2, broken_race, (x, x), check="race")
    assert caught.value.findings[0].array == "array x and array y (16xf32)"


def test_parameters_have_names():
    x = np.zeros((4, 16), np.float32)
    scaled = cutile.compile(add, (x[0], x[1], x[2], 16))
    assert [p.name for p in scaled.parameters] == [
        f"{array}{part}" for array in "xyz" for part in ("", ".shape[0]", ".strides[0]")]
    listed = cutile.compile(combine, ([x[0]], x[1], (1, 2.0)))
    assert [p.name for p in listed.parameters] == [
        "arrays", "len(arrays)", "out", "out.shape[0]", "out.strides[0]", "weights[0]", "weights[1]"]
    plain = tilewright.load(cutile.export(add, (x[0], x[1], x[2], 16)))["add"]
    assert {p.name for p in plain.parameters} == {""}


def test_the_environment_decides_where_nothing_is_said(monkeypatch):
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    cutile.launch(2, broken_race, (x, y))
    monkeypatch.setenv("TILEWRIGHT_CHECK", "race")
    with pytest.raises(tilewright.KernelError):
        cutile.launch(2, broken_race, (x, y))
    monkeypatch.setenv("TILEWRIGHT_CHECK", "no-race")
    cutile.launch(2, broken_race, (x, y))


@ct.kernel
def endless(x):
    i = ct.bid(0)
    while i < 10:
        ct.store(x, (0,), ct.load(x, (0,), (16,)))


def test_a_launch_that_never_ends_is_stopped(monkeypatch):
    x = np.zeros(16, np.float32)
    with pytest.raises(tilewright.KernelError, match="still running after 10000 operations") as caught:
        cutile.launch(1, endless, (x,), check=True, max_steps=10_000)
    assert caught.value.findings[0].kind == "step limit"
    monkeypatch.setenv("TILEWRIGHT_MAX_STEPS", "20000")
    with pytest.raises(tilewright.KernelError, match="still running after 20000 operations"):
        cutile.launch(1, endless, (x,), check=True)
    with pytest.raises(tilewright.KernelError, match="still running after 300 operations"):
        cutile.launch(1, endless, (x,), check=True, max_steps=300)
    monkeypatch.setenv("TILEWRIGHT_MAX_STEPS", "many")
    with pytest.raises(ValueError, match="TILEWRIGHT_MAX_STEPS must be a number of operations, at least 1, but is 'many'"):
        cutile.launch(1, endless, (x,), check="race")
    for options, error in (({}, "compiled code counts no steps"),
                           ({"check": True, "max_steps": -1}, "must not be negative, but is -1")):
        with pytest.raises(ValueError, match=error):
            cutile.launch(1, endless, (x,), **{"max_steps": 5, **options})
