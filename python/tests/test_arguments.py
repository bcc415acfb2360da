# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests arguments: every element type, every kind of array, numbers; and the errors for invalid ones."""

import array

import ml_dtypes
import numpy as np
import pytest
import tilewright
from conftest import copy_kernel, store_scalar_kernel

DTYPES = [("i1", np.bool_), ("i8", np.int8), ("i8", np.uint8), ("i16", np.int16),
          ("i16", np.uint16), ("i32", np.int32), ("i32", np.uint32), ("i64", np.int64),
          ("i64", np.uint64), ("f16", np.float16), ("bf16", ml_dtypes.bfloat16),
          ("f32", np.float32), ("tf32", np.float32), ("f64", np.float64),
          ("f8E4M3FN", ml_dtypes.float8_e4m3fn), ("f8E5M2", ml_dtypes.float8_e5m2),
          ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu), ("f8E5M3FNU", np.uint8)]


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("element, dtype", DTYPES, ids=lambda x: getattr(x, "__name__", str(x)))
def test_every_element_type_arrives_bit_for_bit(element, dtype, device):
    source = np.array([0, 1, 1, 0, 1, 1, 1, 0] if element == "i1" else [1, 2, 4, 8, 1, 2, 4, 8], dtype)
    target = np.zeros(8, dtype) if element != "f8E8M0FNU" else np.full(8, 1, dtype)
    copy_kernel(element, device=device)[1](source, target)
    assert source.tobytes() == target.tobytes()


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_f4_arrives_packed(device):
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, -6], ml_dtypes.float4_e2m1fn)
    source = tilewright.pack_f4(values)
    # The bits in the format, with the first element in the low half.
    assert source.view(np.uint8).tolist() == [0x10, 0x32, 0x54, 0xF6]
    target = np.zeros(4, np.uint8)
    copy_kernel("f4E2M1FN", device=device)[1](source, target)
    assert tilewright.unpack_f4(target).astype(float).tolist() == values.astype(float).tolist()
    with pytest.raises(TypeError, match="pack_f4"):
        copy_kernel("f4E2M1FN")[1](values, target)
    assert (tilewright.unpack_f4(source) == values).all()
    with pytest.raises(TypeError, match="expected an array of int8 or uint8, but got one of float4_e2m1fn_x2"):
        copy_kernel("i8")[1](source, target)
    with pytest.raises(TypeError, match="float4_e2m1fn"):
        tilewright.pack_f4(np.zeros(2))
    with pytest.raises(TypeError, match="expected an array of float4_e2m1fn_x2 or uint8, but got one of float64"):
        tilewright.unpack_f4(np.zeros(2))
    with pytest.raises(ValueError, match="even"):
        tilewright.pack_f4(values[:3])


class Interface:
    """An array that only has an __array_interface__."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


class DLPack:
    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


@pytest.mark.parametrize("wrap", [Interface, DLPack, memoryview, lambda a: a])
def test_arrays_of_others_are_used_where_they_are(wrap):
    source, target = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    copy_kernel("i32")[1](wrap(source), wrap(target))
    assert target.tolist() == list(range(8))


def test_arrays_of_the_standard_library():
    source, target = array.array("i", range(8)), bytearray(32)
    copy_kernel("i32")[1](source, np.frombuffer(target, np.int32))
    assert target == source.tobytes()


def test_an_array_on_another_device_is_refused():
    ones = np.ones(8, np.int32)
    with pytest.raises(TypeError, match=r"kernel @copy: argument 1 .* expected an array on the CPU"):
        copy_kernel("i32")[1](DLPack(ones, device=(2, 0)), ones)


@pytest.mark.parametrize("wrong", [[1, 2], 3, None, "text", object(), np.int32(0)])
def test_what_is_no_array_is_refused(wrong):
    with pytest.raises(TypeError, match=r"kernel @copy: argument 1 of type .*ptr<i32>>: expected an array"):
        copy_kernel("i32")[1](wrong, np.zeros(8, np.int32))


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.complex64, "O", "U4", "M8[s]",
                                   [("a", np.int32)], ml_dtypes.int4, np.dtype(">i4")], ids=str)
def test_other_element_types_are_refused(dtype):
    with pytest.raises(TypeError, match="expected an array of int32 or uint32, but got one of"):
        copy_kernel("i32")[1](np.zeros(8, dtype), np.zeros(8, np.int32))


def test_read_only_memory_may_be_read():
    source, target = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    source.flags.writeable = False
    copy_kernel("i32")[1](source, target)
    assert target.tolist() == list(range(8))
    with pytest.raises(ValueError, match="argument 2 .* read-only"):
        copy_kernel("i32")[1](target, source)
    assert copy_kernel("i32").parameters[0].is_written is False
    assert copy_kernel("i32").parameters[1].is_written is True


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_arrays_that_do_not_lie_together(device):
    memory = np.arange(64, dtype=np.int32)
    target = np.zeros(8, np.int32)
    # The kernel accesses 8 elements from the first one on, whatever the strides of the array.
    copy_kernel("i32", device=device)[1](memory[3::7], target)
    assert target.tolist() == list(range(3, 11))
    columns = np.asfortranarray(np.arange(8, dtype=np.int32).reshape(2, 4))
    copy_kernel("i32", device=device)[1](columns, target)
    assert target.tolist() == [0, 4, 1, 5, 2, 6, 3, 7]


def test_a_negative_stride_is_refused():
    with pytest.raises(ValueError, match="stride along dimension 0 is negative"):
        copy_kernel("i32")[1](np.zeros(8, np.int32)[::-1], np.zeros(8, np.int32))


def test_a_stride_between_elements_is_refused():
    records = np.zeros(8, [("a", np.int32), ("b", np.int8)])
    with pytest.raises(ValueError, match="stride of 5 bytes along dimension 0 is not a multiple"):
        copy_kernel("i32")[1](records["a"], np.zeros(8, np.int32))


def test_unaligned_memory_is_refused():
    unaligned = np.zeros(33, np.uint8)[1:].view(np.int32)
    with pytest.raises(ValueError, match="address is not a multiple of its elements' 4 bytes"):
        copy_kernel("i32")[1](unaligned, np.zeros(8, np.int32))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_arrays_without_elements_and_without_dimensions(device):
    store = store_scalar_kernel("i32", device=device)
    single = np.zeros((), np.int32)
    store[1](single, 7)
    assert single == 7
    nothing = tilewright.load("""cuda_tile.module @m { entry @none(%x: tile<ptr<f32>>) { } }""")
    nothing["none"].compile(device)[1](np.zeros((3, 0), np.float32))


def test_the_checks_know_the_end_of_an_array():
    with pytest.raises(tilewright.KernelError) as caught:
        copy_kernel("i32", check=True)[1](np.zeros(6, np.int32), np.zeros(8, np.int32))
    assert {finding.rule for finding in caught.value.findings} == {"bounds"}
    assert "parameter 1 (6xi32)" in caught.value.findings[0].message


def test_one_array_for_both_parameters():
    both = np.arange(8, dtype=np.int32)
    copy_kernel("i32")[1](both, both)
    assert both.tolist() == list(range(8))
    # The store is not ordered after the load of the same elements.
    with pytest.raises(tilewright.KernelError, match="race on parameters 1 and 2"):
        copy_kernel("i32", check=True)[1](both, both)


@pytest.mark.parametrize("element, dtype, values", [
    ("i1", np.bool_, [True, False, 1, 0, np.True_]),
    ("i8", np.int8, [-128, 127, 255, np.uint8(200)]),
    ("i16", np.int16, [-2**15, 2**16 - 1]),
    ("i32", np.int32, [-2**31, 2**32 - 1, np.int64(5), True]),
    ("i64", np.int64, [-2**63, 2**64 - 1]),
])
def test_integers(element, dtype, values):
    target = np.zeros(1, dtype)
    store = store_scalar_kernel(element)
    for value in values:
        store[1](target, value)
        width = 8 * dtype().itemsize
        assert int(target[0]) % 2**width == int(value) % 2**width


@pytest.mark.parametrize("element, dtype, value, expected", [
    ("f32", np.float32, 0.1, 0.10000000149011612), ("f64", np.float64, 0.1, 0.1),
    ("f16", np.float16, 1 + 2**-11, 1.0),  # a tie goes to even
    ("f16", np.float16, 1 + 3 * 2**-11, 1 + 2**-9),
    ("bf16", ml_dtypes.bfloat16, 1 + 2**-8, 1.0), ("bf16", ml_dtypes.bfloat16, 3, 3.0),
    ("tf32", np.float32, 1 + 2**-11, 1.0), ("tf32", np.float32, 1 + 3 * 2**-11, 1 + 2**-9),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn, 448.0, 448.0),
    ("f8E5M2", ml_dtypes.float8_e5m2, np.float32(1.25), 1.25),
    ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu, 4, 4.0),
    # Above a tie by less than f32 can represent.
    ("bf16", ml_dtypes.bfloat16, 1 + 2**-8 + 2**-40, 1 + 2**-7),
    ("tf32", np.float32, 1 + 2**-11 + 2**-40, 1 + 2**-10),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn, -(1 + 2**-4 + 2**-40), -(1 + 2**-3)),
    ("bf16", ml_dtypes.bfloat16, 1 + 2**-8 - 2**-40, 1.0),
    ("f16", np.float16, 1e6, float("inf")), ("bf16", ml_dtypes.bfloat16, 1e300, float("inf")),
])
def test_floats_round_to_nearest_even(element, dtype, value, expected):
    target = np.ones(1, dtype)
    store_scalar_kernel(element)[1](target, value)
    assert float(target[0]) == expected


@pytest.mark.parametrize("value, bits", [
    # 13.4, section 8.2
    (0, 0), (2**-17, 1), (7 * 2**-17, 7), (2**-14, 8), (0.5, 0x70), (1, 0x78), (1.125, 0x79),
    (2, 0x80), (32768, 0xF0), (65536, 0xF8), (114688, 0xFE), (118784, 0xFE), (122880, 0xFF),
    (float("inf"), 0xFF), (float("nan"), 0xFF), (1e300, 0xFF), (2**-18, 0), (1.5 * 2**-18, 1),
    (1 + 2**-4, 0x78), (1 + 3 * 2**-4, 0x7A),  # ties go to even
])
def test_e5m3_numbers(value, bits):
    target = np.ones(1, np.uint8)
    store_scalar_kernel("f8E5M3FNU")[1](target, value)
    assert int(target[0]) == bits


def test_e5m3_has_no_sign():
    for value in (-1, -0.0):
        with pytest.raises(ValueError, match=f"{float(value)} does not fit into f8E5M3FNU, which has"):
            store_scalar_kernel("f8E5M3FNU")[1](np.zeros(1, np.uint8), value)


def test_arrays_of_e5m3():
    source = np.arange(248, 256, dtype=np.uint8).view(tilewright.float8_e5m3fnu)
    target = np.zeros(8, tilewright.float8_e5m3fnu)
    copy_kernel("f8E5M3FNU")[1](source, target)
    assert target.tobytes() == bytes(range(248, 256))
    with pytest.raises(TypeError, match="expected an array of float8_e5m3fnu .of tilewright. or uint8, .* one of float64"):
        copy_kernel("f8E5M3FNU")[1](np.zeros(8), target)
    with pytest.raises(TypeError, match="expected an array of int8 or uint8, but got one of float8_e5m3fnu"):
        copy_kernel("i8")[1](source, target)


@pytest.mark.parametrize("element, value, error, message", [
    ("i32", 2**32, ValueError, "4294967296 does not fit into i32, which takes -2147483648 to"),
    ("i32", -2**31 - 1, ValueError, "does not fit into i32"),
    ("i1", 2, ValueError, "does not fit into i1, which takes 0 to 1"),
    ("i64", 2**64, ValueError, "does not fit into i64"),
    ("i32", 1.5, TypeError, "expected an integer, but got float"),
    ("i32", "1", TypeError, "expected an integer, but got str"),
    ("f32", "1", TypeError, "expected a number, but got str"),
    ("f32", np.zeros(2), TypeError, ""),
    ("f32", 10**400, OverflowError, ""),
])
def test_numbers_that_do_not_fit(element, value, error, message):
    dtype = {"i1": np.bool_, "i32": np.int32, "i64": np.int64, "f32": np.float32}[element]
    with pytest.raises(error, match=f"kernel @store: argument 2 of type .*{element}.*{message}"):
        store_scalar_kernel(element)[1](np.zeros(1, dtype), value)


def test_the_number_of_arguments():
    with pytest.raises(TypeError, match="kernel @copy takes 2 arguments, but got 1"):
        copy_kernel("i32")[1](np.zeros(8, np.int32))


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    for dtype, element in ((torch.float32, "f32"), (torch.bfloat16, "bf16"),
                           (torch.float8_e4m3fn, "f8E4M3FN")):
        source = torch.arange(8, dtype=torch.float32).to(dtype)
        target = torch.zeros(8, dtype=torch.float32).to(dtype)
        copy_kernel(element)[1](source, target)
        assert target.float().tolist() == list(range(8))


def test_arrays_of_jax():
    jax = pytest.importorskip("jax")
    source, target = jax.numpy.arange(8, dtype=jax.numpy.int32), np.zeros(8, np.int32)
    copy_kernel("i32")[1](source, target)
    assert target.tolist() == list(range(8))
    with pytest.raises(ValueError, match="read-only"):
        copy_kernel("i32")[1](target, source)
