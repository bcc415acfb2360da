# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that permute and concatenate tiles. Without arguments, prints them; given the compiler, the
file, a folder and options, runs them and compares with NumPy."""

import pathlib
import subprocess
import sys

import numpy as np

# name: element type, shape of the source, permutation
TURNS = {
    "blocks_f32": ("f32", (64, 32), (1, 0)),
    "interleave": ("f32", (2, 64), (1, 0)),
    "separate": ("i32", (32, 4), (1, 0)),
    "blocks_i8": ("i8", (32, 64), (1, 0)),
    "blocks_f64": ("f64", (8, 16), (1, 0)),
    "narrow": ("f32", (4, 16), (1, 0)),
    "rank_3": ("i16", (4, 8, 32), (2, 0, 1)),
    "rank_4": ("f32", (2, 4, 8, 16), (3, 1, 0, 2)),
    "apart": ("i32", (2, 8, 16), (2, 1, 0)),  # a few rows that are not consecutive
    "scattered": ("i32", (16, 8, 2), (2, 1, 0)),
    "units": ("i32", (1, 32, 1, 2), (3, 0, 1, 2)),
}
DTYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32}


def sizes(shape) -> str:
    return "x".join(map(str, shape))


def access(name: str, kind: str, shape) -> str:
    """A view of the whole array, and its only tile."""
    strides = [int(np.prod(shape[i + 1:])) for i in range(len(shape))]
    tensor = f"tensor_view<{sizes(shape)}x{kind}, strides={strides}>"
    tiles = f"!cuda_tile.partition_view<tile=({sizes(shape)}), {tensor}>"
    return f"""    %{name}_v = make_tensor_view %{name}_p, shape = {list(shape)}, strides = {strides} : !cuda_tile.{tensor}
    %{name}_t = make_partition_view %{name}_v : {tiles}
""", tiles


def load(name: str, kind: str, shape) -> str:
    view, tiles = access(name, kind, shape)
    indices = ", ".join(["%0"] * len(shape))
    return (view + f"    %{name}, %{name}_k = load_view_tko weak %{name}_t[{indices}] : "
            f"{tiles}, tile<i32> -> tile<{sizes(shape)}x{kind}>, token\n")


def store(name: str, kind: str, shape) -> str:
    view, tiles = access(name, kind, shape)
    indices = ", ".join(["%0"] * len(shape))
    return (view + f"    %{name}_k = store_view_tko weak %{name}, %{name}_t[{indices}] : "
            f"tile<{sizes(shape)}x{kind}>, {tiles}, tile<i32> -> token\n")


def entry(name: str, kind: str, arrays: str, body: str) -> str:
    parameters = ", ".join(f"%{a}_p: tile<ptr<{kind}>>" for a in arrays)
    return (f"  entry @{name}({parameters}) {{\n    %0 = constant <i32: 0> : tile<i32>\n"
            f"{body}    return\n  }}\n")


def turn(name: str) -> str:
    kind, shape, permutation = TURNS[name]
    turned = [shape[i] for i in permutation]
    operation = (f"    %b = permute %a {list(permutation)} : tile<{sizes(shape)}x{kind}> -> "
                 f"tile<{sizes(turned)}x{kind}>\n")
    return entry(name, kind, "ab", load("a", kind, shape) + operation + store("b", kind, turned))


def factor() -> str:
    return entry("factor", "f32", "abc", load("a", "f32", (16, 32)) + load("b", "f32", (16, 16)) + """\
    %t = permute %a [1, 0] : tile<16x32xf32> -> tile<32x16xf32>
    %z = constant <f32: 0.0> : tile<32x16xf32>
    %c = mmaf %t, %b, %z : tile<32x16xf32>, tile<16x16xf32>, tile<32x16xf32>
""" + store("c", "f32", (32, 16)))


def reshaped_factor() -> str:
    """Elements that a product uses in another shape than they are loaded in."""
    return entry("reshaped_factor", "f32", "abc", load("a", "f32", (512,)) + load("b", "f32", (16, 16)) + """\
    %t = reshape %a : tile<512xf32> -> tile<32x16xf32>
    %z = constant <f32: 0.0> : tile<32x16xf32>
    %c = mmaf %t, %b, %z : tile<32x16xf32>, tile<16x16xf32>, tile<32x16xf32>
""" + store("c", "f32", (32, 16)))


def far_factor() -> str:
    """More operations between a load and a product than one loop computes: 30 times -(x) + 1."""
    chain, last = "", "a"
    for i in range(30):
        chain += (f"    %n{i} = negf %{last} : tile<32x16xf32>\n"
                  f"    %m{i} = addf %n{i}, %one : tile<32x16xf32>\n")
        last = f"m{i}"
    return entry("far_factor", "f32", "abc", load("a", "f32", (32, 16)) + load("b", "f32", (16, 16)) + f"""\
    %one = constant <f32: 1.0> : tile<32x16xf32>
{chain}    %z = constant <f32: 0.0> : tile<32x16xf32>
    %c = mmaf %{last}, %b, %z : tile<32x16xf32>, tile<16x16xf32>, tile<32x16xf32>
""" + store("c", "f32", (32, 16)))


def parts() -> str:
    """Concatenations: one operand is itself concatenated, one has another user, one is a constant."""
    return entry("parts", "i32", "abcde", load("a", "i32", (4, 16)) + load("b", "i32", (8, 16)) + """\
    %m = muli %a, %a : tile<4x16xi32>
    %s = addi %a, %m : tile<4x16xi32>
    %n = muli %s, %s : tile<4x16xi32>
    %p = addi %n, %a : tile<4x16xi32>
    %u = cat %n, %p dim = 0 : tile<4x16xi32>, tile<4x16xi32> -> tile<8x16xi32>
    %v = subi %b, %u : tile<8x16xi32>
    %q = muli %s, %m : tile<4x16xi32>
    %r = addi %s, %m : tile<4x16xi32>
    %x = cat %q, %r dim = 0 : tile<4x16xi32>, tile<4x16xi32> -> tile<8x16xi32>
    %y = addi %v, %b : tile<8x16xi32>
    %c = cat %x, %y dim = 1 : tile<8x16xi32>, tile<8x16xi32> -> tile<8x32xi32>
    %w = constant <i32: 7> : tile<8x16xi32>
    %z = muli %v, %v : tile<8x16xi32>
    %d = cat %z, %w dim = 1 : tile<8x16xi32>, tile<8x16xi32> -> tile<8x32xi32>
    %g = cat %v, %v dim = 0 : tile<8x16xi32>, tile<8x16xi32> -> tile<16x16xi32>
    %h = reshape %g : tile<16x16xi32> -> tile<8x32xi32>
    %e = addi %h, %c : tile<8x32xi32>
""" + store("c", "i32", (8, 32)) + store("d", "i32", (8, 32)) + store("e", "i32", (8, 32)))


def expected_parts(a, b):
    m = a * a
    s = a + m
    n = s * s
    v = b - np.concatenate([n, n + a])
    c = np.concatenate([np.concatenate([s * m, s + m]), v + b], 1)
    d = np.concatenate([v * v, np.full((8, 16), 7, np.int32)], 1)
    return [c, d, np.concatenate([v, v]).reshape(8, 32) + c]


def run(command, folder: pathlib.Path, name: str, inputs, outputs) -> None:
    arguments = []
    for i, array in enumerate(inputs):
        np.save(folder / f"in{i}.npy", array)
        arguments += ["--arg", f"{folder}/in{i}.npy"]
    for i, array in enumerate(outputs):
        kind = next(kind for kind, dtype in DTYPES.items() if dtype == array.dtype)
        arguments += ["--arg", f"zeros({array.size}x{kind}),out={folder}/out{i}.npy"]
    subprocess.run([*command, "--entry", name, "--grid", "1", "--quiet", *arguments], check=True)
    for i, array in enumerate(outputs):
        found = np.load(folder / f"out{i}.npy").reshape(array.shape)
        assert np.array_equal(found, array), (name, i, found, array)


def main(program: str, file: str, folder: str, *options: str) -> None:
    command = [program, "run", file, *options]
    place = pathlib.Path(folder)
    place.mkdir(exist_ok=True)
    for name, (kind, shape, permutation) in TURNS.items():
        a = np.arange(np.prod(shape)).astype(DTYPES[kind]).reshape(shape)
        run(command, place, name, [a], [a.transpose(permutation)])
    a = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)
    b = np.arange(16 * 16, dtype=np.float32).reshape(16, 16)
    run(command, place, "factor", [a, b], [a.T @ b])  # integers below 2^24
    run(command, place, "reshaped_factor", [a.ravel(), b], [a.reshape(32, 16) @ b])
    run(command, place, "far_factor", [a.reshape(32, 16), b], [a.reshape(32, 16) @ b])
    a = np.arange(4 * 16, dtype=np.int32).reshape(4, 16)
    b = np.arange(8 * 16, dtype=np.int32).reshape(8, 16) * 1000
    run(command, place, "parts", [a, b], expected_parts(a, b))


if len(sys.argv) > 1:
    main(*sys.argv[1:])
else:
    print("cuda_tile.module @m {\n" + "".join(turn(name) for name in TURNS) + factor() +
          reshaped_factor() + far_factor() + parts() + "}")
