# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests what the machines that check a kernel can do: all executions, traces, dependent launches, and
multicast memory."""

import math
import pickle

import cuda.tile as ct
import numpy as np
import pytest
import tilewright
from conftest import ADD
from tilewright import _arrays, _records, cutile


def compiled(text, name, *args, **options):
    return tilewright.load(text, name="k.mlir")[name].compile(*args, **options)


# --- All executions -----------------------------------------------------------------------------

INCREMENTS = """cuda_tile.module @m {
  entry @add3(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %o0, %t0 = atomic_rmw_tko relaxed device %x, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o1, %t1 = atomic_rmw_tko relaxed device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o2, %t2 = atomic_rmw_tko relaxed device %x, add, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}"""


def test_explores_all_executions():
    # The orders of 6 atomics that keep the order of each block's 3.
    kernel = compiled(INCREMENTS, "add3", exhaustive=True)
    assert kernel.device == "reference"
    x = np.array([-7], np.int32)
    found = kernel[2](x)
    assert found == tilewright.Exploration(
        math.comb(6, 3), [[tilewright.ChangedElement("parameter 1 (1xi32)", 0, "i32", -1)]], None)
    assert str(found) == "20 executions, 1 outcomes\noutcome 1: parameter 1 (1xi32)[0] = -1"
    assert x.tolist() == [-7]


# The atomics order the stores to x only if block 0 is first.
HIDDEN_RACE = """cuda_tile.module @m {
  entry @first(%counter: tile<ptr<i32>>, %x: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    %start = make_token : token
    %before = if %is_first -> (token) {
      %s = store_ptr_tko weak %x, %1 token=%start : tile<ptr<i32>>, tile<i32> -> token
      yield %s : token
    } else {
      yield %start : token
    }
    %old, %t = atomic_rmw_tko acq_rel device %counter, add, %1 token=%before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    if %is_first { } else {
      %s = store_ptr_tko weak %x, %0 token=%t : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}"""


def test_replays_a_race_of_another_schedule():
    counter, x = np.zeros(1, np.int32), np.zeros(1, np.int32)
    with pytest.raises(tilewright.KernelError) as caught:
        compiled(HIDDEN_RACE, "first", check="race")[2](counter, x)
    [finding] = caught.value.findings
    assert finding.rule == "race" and finding.schedule == "replay:0:1,1:2"
    with pytest.raises(tilewright.KernelError) as again:
        compiled(HIDDEN_RACE, "first", schedule=finding.schedule)[2](counter, x)
    assert [f.message for f in again.value.findings] == [finding.message]
    with pytest.raises(ValueError, match="schedule excludes exhaustive and seed"):
        compiled(HIDDEN_RACE, "first", schedule=finding.schedule, seed=1)


def stores(element, first, second):
    """Two stores that no token orders."""
    return f"""cuda_tile.module @m {{
      entry @stores(%x: tile<ptr<{element}>>) {{
        %one = constant <{element}: {first}> : tile<{element}>
        %two = constant <{element}: {second}> : tile<{element}>
        %t1 = store_ptr_tko relaxed device %x, %one : tile<ptr<{element}>>, tile<{element}> -> token
        %t2 = store_ptr_tko relaxed device %x, %two : tile<ptr<{element}>>, tile<{element}> -> token
      }}
    }}"""


@pytest.mark.parametrize("element, dtype, first, second", [
    ("i32", np.int32, 1, 2), ("i64", np.int64, -(1 << 62), 5), ("f32", np.float32, 0.1, -2.5),
    ("f64", np.float64, 0.1, -1.5), ("f16", np.float16, 0.5, -1.0)])
def test_values_of_outcomes(element, dtype, first, second):
    found = compiled(stores(element, first, second), "stores", exhaustive=True)[1](np.zeros(1, dtype))
    assert found.executions == 2
    values = [changed.value for [changed] in found.outcomes]
    assert sorted(values) == sorted([dtype(first).item(), dtype(second).item()])
    assert {changed.type for [changed] in found.outcomes} == {element}


def test_a_race_in_some_execution():
    text = stores("i32", 1, 2).replace("relaxed device", "weak")
    with pytest.raises(tilewright.KernelError) as caught:
        compiled(text, "stores", exhaustive=True)[1](np.zeros(1, np.int32))
    assert caught.value.findings[0].rule == "race"


def test_a_limit_raises_what_was_found():
    text = """cuda_tile.module @m {
      entry @wide(%x: tile<ptr<i32>>) {
        %at = iota : tile<16384xi32>
        %p = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
        %all = broadcast %p : tile<1xptr<i32>> -> tile<16384xptr<i32>>
        %each = offset %all, %at : tile<16384xptr<i32>>, tile<16384xi32> -> tile<16384xptr<i32>>
        %v, %t = load_ptr_tko weak %each : tile<16384xptr<i32>> -> tile<16384xi32>, token
      }
    }"""
    with pytest.raises(tilewright.IncompleteExplorationError, match="10000") as caught:
        compiled(text, "wide", exhaustive=True)[1](np.zeros(16384, np.int32))
    assert caught.value.exploration.limit and not caught.value.exploration.outcomes
    assert pickle.loads(pickle.dumps(caught.value)).exploration == caught.value.exploration


@pytest.mark.parametrize("device, options, message", [
    ("cpu", {}, "exhaustive needs device='reference'"),
    ("ptx", {}, "exhaustive needs device='reference'"),
    ("cpu", {"exhaustive": False, "exact_mma": True}, "exact_mma needs device='reference'"),
    ("cpu", {"exhaustive": False, "schedule": "replay:0"}, "schedule needs device='reference'"),
    ("reference", {"seed": 1}, "exhaustive and seed exclude each other")])
def test_options_that_do_not_match(device, options, message):
    with pytest.raises(ValueError, match=message):
        compiled(INCREMENTS, "add3", device, **{"exhaustive": True, **options})


@ct.kernel
def count(x):
    ct.atomic_add(x, (0,), 1)


def test_explores_a_cutile_kernel():
    found = cutile.launch((3,), count, (np.zeros(1, np.int32),), exhaustive=True)
    assert found.executions == math.factorial(3)
    assert [[str(changed) for changed in outcome] for outcome in found.outcomes] == [
        ["array x (1xi32)[0] = 3"]]


# By hand: 1.5 is exponent 15 and fraction 4 of 8 in f8E5M3FNU, and 3 is 0b0101 in f4E2M1FN.
@pytest.mark.parametrize("element, bits, value", [
    ("i1", 1, True), ("i8", 0xFF, -1), ("i16", 0x8000, -32768), ("i64", 1 << 63, -(1 << 63)),
    ("f16", 0x3E00, 1.5), ("bf16", 0xC020, -2.5), ("tf32", 0x3FC00000, 1.5), ("f32", 0x7F800000, math.inf),
    ("f64", 0x3FF8 << 48, 1.5), ("f8E4M3FN", 0x3C, 1.5), ("f8E5M2", 0x3E, 1.5),
    ("f8E8M0FNU", 0x80, 2.0), ("f4E2M1FN", 0x5, 3.0), ("f8E5M3FNU", 0x7C, 1.5),
    ("f8E5M3FNU", 1, 2.0**-17), ("none", 0x1000, 4096)])
def test_numbers_of_bits(element, bits, value):
    found = _arrays.number_of(bits, _records.ElementType[element])
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize("exact, expected", [(False, 0), (True, 1)])
def test_sums_matrix_products_exactly_on_request(exact, expected):
    # 1e8 + 1 is 1e8 in f32.
    text = """cuda_tile.module @m {
      entry @product(%z: tile<ptr<f32>>) {
        %a = constant <f32: [[1.0e8, 1.0, -1.0e8, 0.0]]> : tile<1x4xf32>
        %b = constant <f32: 1.0> : tile<4x1xf32>
        %c = constant <f32: 0.0> : tile<1x1xf32>
        %d = mmaf %a, %b, %c : tile<1x4xf32>, tile<4x1xf32>, tile<1x1xf32>
        %sum = reshape %d : tile<1x1xf32> -> tile<f32>
        %t = store_ptr_tko weak %z, %sum : tile<ptr<f32>>, tile<f32> -> token
      }
    }"""
    z = np.full(1, -1, np.float32)
    compiled(text, "product", "reference", exact_mma=exact)[1](z)
    assert z[0] == expected


# --- Traces -------------------------------------------------------------------------------------


def test_traces_each_operation():
    records = []
    x = np.array([10, 20], np.int32)
    compiled(ADD, "add", "reference")[2](x, 7, trace=records.append, trace_blocks=[1])
    assert x.tolist() == [17, 27]
    assert [record.operation for record in records] == [
        "entry", "get_tile_block_id", "offset", "load_ptr_tko", "addi", "store_ptr_tko", "return", "entry"]
    addition = records[4]
    assert (addition.place.line, addition.block, addition.thread) == (6, (1, 0, 0), -1)
    assert str(addition) == ("k.mlir:6:12: block (1, 0, 0): addi(%result = i32 20, %arg1 = i32 7) "
                             "-> %1 = i32 27")


def test_traces_instructions():
    records = []
    compiled(ADD, "add", "ptx")[2](np.zeros(2, np.int32), 7, trace=records.append,
                                   trace_blocks=[(1, 0, 0)], trace_operations=["st"])
    # The guard of the instruction is false for the other threads.
    [store] = [record for record in records if "not executed" not in record.text]
    assert store.operation.startswith("st.global") and store.thread >= 0
    assert "; 4 bytes of parameter 1 (2xi32) at byte 4" in store.text


def test_traces_a_cutile_kernel():
    records = []
    x = np.zeros(1, np.int32)
    cutile.launch((2,), count, (x,), device="reference", trace=records.append,
                  trace_operations=["atomic_rmw_tko"])
    assert x.tolist() == [2]
    assert [record.block for record in records] == [(0, 0, 0), (1, 0, 0)]
    assert records[0].place.file == __file__


def test_an_exception_ends_the_launch():
    calls = []

    def fail(record):
        calls.append(record)
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        compiled(ADD, "add", "reference")[1000](np.zeros(1000, np.int32), 1, trace=fail)
    assert len(calls) == 1


@pytest.mark.parametrize("options, error, message", [
    ({"trace": 5}, TypeError, "trace must be a function, but is 5"),
    ({"trace_blocks": [1]}, ValueError, "trace_blocks and trace_operations need trace"),
    ({"trace": print, "trace_blocks": ["1"]}, TypeError, "a block of trace_blocks must be an int"),
    ({"trace": print, "trace_blocks": [2]}, ValueError, r"no block \(2, 0, 0\) to trace"),
    ({"trace": print, "trace_operations": "addi"}, TypeError, "must be a list of names"),
    ({"trace": print, "trace_operations": ["adi"]}, ValueError, "there is no operation 'adi'"),
    ({"dependent": "add"}, TypeError, "dependent must be a Kernel"),
    ({"color": 1}, TypeError, "a launch has no option 'color'")], ids=str)
def test_launch_options_that_do_not_fit(options, error, message):
    with pytest.raises(error, match=message):
        compiled(ADD, "add", "reference")[2](np.zeros(2, np.int32), 1, **options)


def test_compiled_code_has_no_trace():
    with pytest.raises(ValueError, match="only the reference machine and the PTX machine trace"):
        compiled(ADD, "add")[1](np.zeros(1, np.int32), 1, trace=print)


# --- Dependent launches -------------------------------------------------------------------------

PAIRS = """cuda_tile.module @m {
  entry @produce(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %seven = constant <i32: 7> : tile<i32>
    %t = store_ptr_tko weak %x, %seven : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @consume(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %done = gdc_wait_tko -> token
    %v, %t = load_ptr_tko weak %x token=%done : tile<ptr<i32>> -> tile<i32>, token
    %u = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  entry @hasty(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %u = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_launches_a_dependent_kernel(device):
    module = tilewright.load(PAIRS)
    produce, consume = (module[name].compile(device) for name in ("produce", "consume"))
    x, y = np.zeros(1, np.int32), np.zeros(1, np.int32)
    produce[1](x, y, dependent=consume)
    assert (x[0], y[0]) == (7, 7)
    with pytest.raises(ValueError, match="dependent kernel @consume: it must be in the same module"):
        produce[1](x, y, dependent=tilewright.load(PAIRS)["consume"].compile(device))


def test_a_dependent_kernel_explores_nothing():
    module = tilewright.load(PAIRS)
    produce, consume = module["produce"].compile("reference"), module["consume"].compile("reference", exhaustive=True)
    with pytest.raises(ValueError, match="the exhaustive schedule has no dependent launches"):
        produce[1](np.zeros(1, np.int32), np.zeros(1, np.int32), dependent=consume)


def test_a_dependent_kernel_that_does_not_wait():
    module = tilewright.load(PAIRS)
    produce, hasty = (module[name].compile("reference") for name in ("produce", "hasty"))
    with pytest.raises(tilewright.KernelError, match="of the launch before") as caught:
        produce[1](np.zeros(1, np.int32), np.zeros(1, np.int32), dependent=hasty)
    assert (caught.value.findings[0].rule, caught.value.findings[0].kernel) == ("race", "hasty")


# --- Multicast memory ---------------------------------------------------------------------------

FOLD = """cuda_tile.module @m {
  entry @fold(%x: tile<ptr<i32, multicast>>, %sum: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1], multicast>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>
    %r, %t = multimem_load_reduce_view_tko weak %view[%0], add : partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> tile<4xi32>, token
    %ts = make_tensor_view %sum, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %vs = make_partition_view %ts : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %t1 = store_view_tko weak %r, %vs[%0] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %t2 = multimem_store_view_tko weak %r, %view[%0] token = %t : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>, tile<i32> -> token
  }
}"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_combines_and_writes_multicast_memory(device):
    kernel = compiled(FOLD, "fold", device)
    a, b, c = (np.arange(1, 5, dtype=np.int32) * factor for factor in (1, 10, 100))
    total = np.zeros(4, np.int32)
    kernel[1](tilewright.Multicast([a, b, c]), total)
    for array in (total, a, b, c):
        assert array.tolist() == [111, 222, 333, 444]


def test_names_the_copy_of_a_finding():
    kernel = compiled(FOLD, "fold", "reference")
    copies = tilewright.Multicast([np.zeros(4, np.int32), np.zeros(4, np.int32)])
    with pytest.raises(tilewright.KernelError, match=r"race on parameter 1, copy 0 \(4xi32\)\[0\]"):
        kernel[2](copies, np.zeros(4, np.int32))


@pytest.mark.parametrize("copies, error, message", [
    ([np.zeros(4, np.int32), np.zeros(5, np.int32)], ValueError, "must be of one format and size"),
    ([np.zeros(4, np.float32)], TypeError, "argument 1 .*expected an array of int32"),
    ([3], TypeError, "expected an array, but got int")], ids=str)
def test_arrays_that_are_no_copies(copies, error, message):
    with pytest.raises(error, match=message):
        compiled(FOLD, "fold")[1](tilewright.Multicast(copies), np.zeros(4, np.int32))


def test_multicast_memory_needs_a_device_that_has_it():
    with pytest.raises(ValueError, match="stands for at least one array"):
        tilewright.Multicast([])
    copies = tilewright.Multicast([np.zeros(2, np.int32)])
    with pytest.raises(ValueError, match="the PTX machine does not support multicast memory"):
        compiled(ADD, "add", "ptx")[1](copies, 1)
