#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the PTX texts of this folder anew, with nvcc and clang. They are kept, so that the tests
# need neither. Paths of this machine are taken out.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

strip() { # FILE: names of files without folders
  sed -i -E 's|(\.file[[:space:]]+[0-9]+ ").*/|\1|' "$1"
}

for source in basics warps runtime; do
  nvcc -ptx -arch=sm_80 -lineinfo "$source.cu" -o "$source.ptx"
  strip "$source.ptx"
done
for source in hopper persistent; do
  nvcc -ptx -arch=sm_90a -lineinfo "$source.cu" -o "$source.ptx"
  strip "$source.ptx"
done
clang-22 --cuda-gpu-arch=sm_80 --cuda-path="${CUDA:-/usr/local/cuda}" -x cuda -O2 -gline-tables-only -S \
  --cuda-device-only -Wno-unknown-cuda-version -o basics-clang.ptx basics.cu
strip basics-clang.ptx
