# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests programs: reading, writing, verifying, entries."""

import dataclasses
import importlib
import importlib.util
import pickle
import re
import subprocess
import sys
import typing

import pytest
import tilewright

TEXT = """cuda_tile.module @kernels {
  entry @first(%x: tile<ptr<f32>>, %n: tile<i32>) {
  }
  entry @second() {
  }
}
"""


def test_importing_loads_neither_numpy_nor_the_library():
    loaded = "import sys, tilewright; print([m for m in ('numpy', 'tilewright._native') if m in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


def test_every_public_name_exists():
    for name in tilewright.__all__:
        assert getattr(tilewright, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tilewright.nothing


def of_package(module):
    """The public names of a module and their values. Frameworks need not be installed."""
    return [(name, getattr(module, name)) for name in module.__all__]


def test_public_things_have_public_names():
    modules = [tilewright, tilewright.cutile]
    for framework in ("jax", "torch"):
        if importlib.util.find_spec(framework):
            modules.append(importlib.import_module(f"tilewright.{framework}"))
    checked = 0
    for module in modules:
        for name, value in of_package(module):
            if isinstance(value, type) or callable(value):
                assert (value.__module__, value.__qualname__) == (module.__name__, name)
                checked += 1
    assert checked > 25


def test_exceptions_are_shown_and_pickled_by_their_public_names():
    code = "import tilewright; tilewright.load('{ nothing }')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 1 and "\ntilewright.InvalidProgramError: " in ended.stderr
    for error in (tilewright.CompileError("x"), tilewright.KernelError("x", []),
                  tilewright.InvalidProgramError("x", [])):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and again.args == error.args
        assert b"_records" not in pickle.dumps(error)


def test_annotations_of_records_can_be_looked_up():
    assert typing.get_type_hints(tilewright.Finding)["place"] is tilewright.Place
    for name, value in of_package(tilewright):
        if dataclasses.is_dataclass(value):
            assert typing.get_type_hints(value), name


@pytest.mark.parametrize("how", ["text", "bytes", "path", "path-object", "bytecode"])
def test_load(how, tmp_path):
    path = tmp_path / "k.mlir"
    path.write_text(TEXT)
    source = {"text": TEXT, "bytes": TEXT.encode(), "path": str(path), "path-object": path,
              "bytecode": tilewright.load(TEXT).bytecode()}[how]
    module = tilewright.load(source)
    assert list(module) == ["first", "second"] and len(module) == 2
    pointer, number = module["@first"].parameters
    assert pointer.is_pointer and not pointer.is_written and pointer.element == "f32"
    assert not number.is_pointer and number.element == "i32"
    assert str(number) == "!cuda_tile.tile<i32>"
    assert module["second"].parameters == ()


def test_an_unknown_entry_is_named_with_those_there_are():
    with pytest.raises(KeyError, match="no entry third; its entries are: first, second"):
        tilewright.load(TEXT)["third"]


@pytest.mark.parametrize("version", [(13, 1), (13, 2), (13, 3)])
def test_bytecode_states_its_version_and_reads_as_the_same_program(version):
    module = tilewright.load(TEXT)
    assert module.file_version is None and module.lowest_version == (13, 1)
    again = tilewright.load(module.bytecode(version))
    assert again.file_version == version
    assert again.text == module.text
    assert again.bytecode() == module.bytecode(version)


def test_a_version_that_cannot_be():
    with pytest.raises(ValueError, match="version"):
        tilewright.load(TEXT).bytecode((99, 1))


def test_a_rule_that_is_broken_has_a_place():
    text = TEXT.replace("  entry @second() {\n", """  entry @second() {
    %a = constant <i32: 1> : tile<2xi32>
    %b = reshape %a : tile<2xi32> -> tile<4xi32>
""")
    with pytest.raises(tilewright.InvalidProgramError) as caught:
        tilewright.load(text, name="wrong.mlir")
    (diagnostic,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert diagnostic.place.file == "wrong.mlir" and diagnostic.place.line == 6
    assert "reshape" in diagnostic.message
    assert "wrong.mlir:6:" in str(caught.value)


def test_damaged_bytecode_has_an_offset():
    damaged = bytearray(tilewright.load(TEXT).bytecode())
    damaged[8] = 99  # the version
    with pytest.raises(tilewright.InvalidProgramError, match="99"):
        tilewright.load(bytes(damaged))


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.mlir does not exist"):
        tilewright.load(tmp_path / "none.mlir")


def test_verify_names_what_a_version_cannot_hold():
    module = tilewright.load(TEXT)
    module.verify(version=(13, 1))
    with pytest.raises(ValueError):
        module.verify(version=(12, 9))
    newer = tilewright.load(TEXT.replace("  entry @second() {\n", """  entry @second() {
    %a = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
"""), name="newer.mlir")
    assert newer.lowest_version == (13, 3)  # alloca (operations, 7.2)
    newer.verify(version=(13, 3))
    for refused in (lambda: newer.verify(version=(13, 2)), lambda: newer.bytecode((13, 2))):
        with pytest.raises(tilewright.InvalidProgramError, match="alloca") as caught:
            refused()
        assert [d.place.line for d in caught.value.diagnostics] == [5]


def test_compile_refuses_options_that_are_none():
    entry = tilewright.load(TEXT)["second"]
    for options, message in (({"device": "tpu"}, "device must be"),
                             ({"device": "cpu", "check": True}, "device='reference'"),
                             ({"check": "nothing-like-it"}, "nothing-like-it"),
                             ({"optimization": 4}, "0..3"),
                             ({"threads": 2000}, "0..1024"),
                             ({"target": "z80"}, "z80")):
        with pytest.raises(ValueError, match=message) as caught:
            entry.compile(**options)
        assert not re.match("tw[A-Z]", str(caught.value))  # a function of the C API


def test_a_kernel_shows_its_name_parameters_and_device():
    kernel = tilewright.load(TEXT)["first"].compile()
    parameters = "!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>"
    assert repr(kernel) == f"<tilewright.Kernel @first({parameters}) on cpu>"
    checked = tilewright.load(TEXT)["second"].compile("reference")
    assert repr(checked) == "<tilewright.Kernel @second() on reference>"
    assert repr(checked[2, 3]) == "<tilewright.Kernel @second() on reference>[2, 3, 1]"


def test_remarks_have_the_lines_of_the_file(tmp_path):
    path = tmp_path / "k.mlir"
    path.write_text("""cuda_tile.module @m {
  entry @twice(%x: tile<ptr<f32>>) {
    %0 = iota : tile<16xi32>
    %1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %2 = broadcast %1 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %3 = offset %2, %0 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %4, %5 = load_ptr_tko weak %3 : tile<16xptr<f32>> -> tile<16xf32>, token
    %6 = addf %4, %4 rounding<nearest_even> : tile<16xf32>
    %7 = store_ptr_tko weak %3, %6 token = %5 : tile<16xptr<f32>>, tile<16xf32> -> token
  }
}
""")
    remarks = tilewright.inspect(tilewright.load(path)).remarks.splitlines()
    assert any(line.startswith(f"{path}:8:") and "addf: " in line for line in remarks), remarks
    assert all(line.startswith(f"{path}:") for line in remarks), remarks


def test_inspect_shows_every_stage():
    seen = tilewright.inspect(tilewright.load(TEXT), target="x86-64-v3")
    assert "entry @first" in seen.text
    assert "@first" in seen.plan
    assert "define" in seen.llvm
    assert "first" in seen.assembly
    with pytest.raises(ValueError, match="only GPU targets"):
        seen.ptx
    with pytest.raises(TypeError, match="expected a Module"):
        tilewright.inspect(3)
    with pytest.raises(ValueError, match="z80"):
        tilewright.inspect(tilewright.load(TEXT), target="z80").plan


def test_inspect_shows_stages_for_a_gpu():
    seen = tilewright.inspect(tilewright.load(TEXT), target="sm_90a")
    assert ".target sm_90a" in seen.ptx
    assert "@first" in seen.plan
    assert "llvm.func ptx_kernelcc @first" in seen.threads
    assert seen.kernels[0].name == "first" and seen.kernels[0].threads % 32 == 0
    with pytest.raises(ValueError, match="a GPU target has the stages"):
        seen.assembly


# --- Code ---------------------------------------------------------------------------------------

def test_compile_returns_code_for_any_target():
    module = tilewright.load(TEXT)
    ptx = module.compile(target="sm_80")
    assert ptx.stage == "ptx" and ".target sm_80" in ptx.contents
    assert [kernel.name for kernel in ptx.kernels] == list(module)
    assert all(kernel.threads >= 32 for kernel in ptx.kernels)
    assert str(ptx) == ptx.contents and "for sm_80" in repr(ptx)
    assembly = module.compile(target="x86-64-v3")
    assert assembly.stage == "asm" and ".globl" in assembly.contents
    assert all(kernel.threads == 0 for kernel in assembly.kernels)
    for target in ("cpu", "cpu=native", assembly.target):
        assert module.compile("plan", target=target).target == target
    assert module.compile("obj", target="aarch64").contents[:4] == b"\x7fELF"
    assert module.compile("so").contents[:4] == b"\x7fELF"


def test_compile_refuses_what_a_target_does_not_have():
    module = tilewright.load(TEXT)
    for arguments, message in [(dict(stage="ptx"), "only GPU targets"),
                               (dict(stage="so", target="sm_80"), "a GPU target has the stages"),
                               (dict(stage="elf"), "expected a stage among llvm, tile"),
                               (dict(target="sm_1"), "sm_1"), (dict(optimization=4), "0..3"),
                               (dict(target="sm_80", debug_info=True), "debug information")]:
        with pytest.raises(ValueError, match=message):
            module.compile(**arguments)
