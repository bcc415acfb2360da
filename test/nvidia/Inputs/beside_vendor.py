# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how speed.py takes kernels from NVIDIA's compiler, and how cubin.py reads cubins.

The PTX machine executes no cubins. PTX text takes their place, with a mistake where one must be found.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "gpu"))

import cubin  # noqa: E402
import timed  # noqa: E402
import vendor  # noqa: E402

TILEWRIGHT = sys.argv[1]
LINE = "vector_add"


def ptx(text: str) -> str:
    return subprocess.run([TILEWRIGHT, "compile", "-", "--target", "sm_90a", "--emit", "ptx"], input=text, check=True,
                          capture_output=True, text=True).stdout


def measured(code: str | None) -> dict:
    """The result of speed.py with this code instead of a cubin."""
    with tempfile.TemporaryDirectory() as folder:
        if code is not None:
            pathlib.Path(folder, f"{timed.key(vendor.options_of(LINE))}.cubin").write_text(code)
        command = [sys.executable, str(pathlib.Path(timed.__file__).with_name("speed.py")), "--tilewright", TILEWRIGHT,
                   LINE, "3000", "--json", "--vendor", folder]
        ended = subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads(ended.stdout.splitlines()[-1])


def own() -> str:
    return ptx(timed.text_of(vendor.options_of(LINE)))


def test_measured():
    found = measured(own())
    assert found["compiler"] > 0 and len(found["ratio_compiler"]) == 3, found


def test_not_measured():
    assert measured(None)["compiler"].startswith("there is no vector_add-")
    assert measured("no code")["compiler"].startswith("its cubin was not loaded: ")


def test_wrong_and_failing_kernels_do_not_lose_our_figure():
    """A kernel with subtraction is wrong. One that stores outside of its array makes the GPU unusable."""
    text = own()
    assert "add.rn.f32" in text or "add.f32" in text
    wrong = measured(text.replace("add.rn.f32", "sub.rn.f32").replace("add.f32", "sub.f32"))
    assert wrong["compiler"].endswith(" of 3000 elements are wrong"), wrong
    assert wrong["ours"] > 0 and "ratio_compiler" not in wrong
    failing = measured(text.replace("{\n", "{\n  .reg .b64 %nowhere;\n  mov.b64 %nowhere, 64;\n  st.global.u32 [%nowhere], 0;\n", 1))
    assert failing["compiler"].startswith("its kernel failed: "), failing
    assert failing["ours"] > 0


def elf(named: dict[str, bytes]) -> bytes:
    """A 64-bit ELF file with these sections."""
    named = named | {".shstrtab": b""}
    names = b"\0".join(name.encode() for name in named) + b"\0"
    named[".shstrtab"] = names
    data, headers = b"", b""
    for name, content in named.items():
        headers += struct.pack("<IIQQQQIIQQ", names.index(name.encode() + b"\0"), 1, 0, 0, 64 + len(data), len(content), 0, 0, 1, 0)
        data += content
    header = b"\x7fELF\2" + bytes(35) + struct.pack("<Q", 64 + len(data)) + bytes(10) + struct.pack("<HHH", 64, len(named), len(named) - 1)
    return header + data + headers


def sized(number: int, value: bytes) -> bytes:
    return struct.pack("<BBH", 4, number, len(value)) + value


def test_attributes_of_cubins():
    """Both forms of parameters, in any order, with attributes of other formats between them."""
    old = sized(0x17, struct.pack("<IHHI", 0, 1, 8, 4 << 18 | 0x1F000)) + bytes([3, 0x1B, 255, 0])
    new = sized(0x45, struct.pack("<IHHI", 0, 0, 0, 0x04000008))
    own_ = old + new + sized(0x10, struct.pack("<3I", 288, 1, 1))
    all_ = sized(0x2F, struct.pack("<II", 7, 168)) + sized(0x11, struct.pack("<II", 7, 240))
    found = cubin.kernel(elf({".nv.info": all_, ".nv.info.k": own_, ".nv.shared.k": bytes(96)}), "k")
    assert found == cubin.Kernel([(0, 8), (8, 4)], (288, 1, 1), 168, 240, 96), found
    for data, said in ((b"text", "it is not a 64-bit ELF file"), (elf({}), "the cubin has no kernel k")):
        try:
            cubin.kernel(data, "k")
            raise AssertionError(said)
        except cubin.CubinError as error:
            assert str(error) == said, error


def test_cubins_of_tileiras():
    """With nvidia-cuda-tileiras in this Python, its cubins have our parameters. With ptxas, ours do."""
    arguments = vendor.options_of("gemm --aligned --tile 128x256")
    ptxas = pathlib.Path("/usr/local/cuda/bin/ptxas")
    if ptxas.exists():
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder, "k.ptx"), pathlib.Path(folder, "k.cubin")
            source.write_text(ptx(timed.text_of(arguments)))
            subprocess.run([ptxas, "-arch=sm_90a", source, "-o", target], check=True)
            found = cubin.kernel(target.read_bytes(), "gemm")
        assert found.parameters == [(0, 8), (8, 8), (16, 8), (24, 4), (28, 4), (32, 4)], found
        assert found.threads == (288, 1, 1) and found.stack == 0 and found.registers > 100, found
    program = vendor.found(pathlib.Path(sys.prefix))
    if program:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, vendor.__file__, "--tilewright", TILEWRIGHT, "--tileiras", program, "--only", f"^{LINE}$", folder]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            assert "1 cubins for sm_90" in said and ", 0 not compiled" in said, said


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)
