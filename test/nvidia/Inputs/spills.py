# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests whether kernels fit into registers. NVIDIA's assembler reports local memory and spills per thread.

`spills.py TILEWRIGHT ROOT FOLDER [TARGET...]`: products of bf16 in tiles up to 256x128 and of f32, with aligned and unaligned
arrays, persistent ones of f16, with a residual, other benchmark kernels, and the examples. With `--benchmarks`: the kernels of bench/.
"""

import pathlib
import re
import shutil
import string
import subprocess
import sys

tilewright, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
are_of_benchmarks = "--benchmarks" in sys.argv
targets = [word for word in sys.argv[4:] if word != "--benchmarks"] or ["sm_80", "sm_90a", "sm_100a"]
TILES = {"bf16": ((64, 64, 32), (128, 128, 32), (128, 128, 64), (128, 256, 64), (256, 128, 64)),
         "f32": ((32, 32, 32), (64, 64, 32), (128, 64, 32), (128, 128, 32))}


def kernels_of_benchmarks() -> dict[str, bytes]:
    sys.path.insert(0, str(root / "scripts"))
    import kernels
    found, left_out = kernels.kernels_of_benchmarks()
    if left_out:
        sys.exit("\n".join(left_out))
    return {pathlib.Path(kernel.name).stem: kernel.program for kernel in found}


def kernels() -> dict[str, bytes]:
    def substituted(name: str, **values) -> str:
        text = string.Template((root / f"bench/kernels/{name}.mlir").read_text())
        return text.substitute({key: str(value) for key, value in values.items()})
    texts = {f"product {kind} {m}x{n}x{k}": substituted("gemm", T=kind, S="f32", TM=m, TN=n, TK=k, mma="mmaf", signs="", nothing="0.0")
             for kind, tiles in TILES.items() for m, n, k in tiles}
    for name in ("persistent", "residual"):
        product = string.Template((root / f"test/nvidia/Inputs/{name}.mlir").read_text())
        texts |= {f"{name} product {m}x{n}x{k}": product.substitute(M=m, N=n, K=k)
                  for m, n, k in ((64, 64, 64), (128, 128, 64))}
    texts |= {f"{name} {columns}": substituted(name, N=columns, share=1 / columns)
              for name in ("softmax", "layer_norm", "rms_norm") for columns in (1024, 4096, 8192, 16384)}
    texts |= {f"transpose {tile}": substituted("transpose", TM=tile, TN=tile) for tile in (32, 64, 128)}
    texts |= {example.stem: example.read_text() for example in (root / "examples").glob("*.mlir")}
    return {name: text.encode() for name, text in texts.items()}


def spilled(ptxas: str, name: str, program: bytes, target: str) -> int:
    source, ptx = folder / "kernel", folder / "kernel.ptx"
    source.write_bytes(program)
    subprocess.run([tilewright, "compile", source, "--target", target, "-o", ptx], check=True)
    said = subprocess.run([ptxas, "-v", f"-arch={target}", ptx, "-o", folder / "kernel.cubin"], capture_output=True, text=True)
    found = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", said.stderr)
    if said.returncode or not found:
        sys.exit(f"{name} for {target}: ptxas: {said.stderr}")
    return sum(map(int, sum(found, ())))


def main() -> None:
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    wrong, count = 0, 0
    for target in targets:
        for name, program in (kernels_of_benchmarks() if are_of_benchmarks else kernels()).items():
            count += 1
            if of_kernel := spilled(ptxas, name, program, target):
                wrong += 1
                print(f"{name} for {target}: {of_kernel} bytes of stack, spill stores and loads")
    print(f"{count} kernels, {wrong} of them spill")


main()
