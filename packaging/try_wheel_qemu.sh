#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# packaging/try_wheel_qemu.sh PYTHON FOLDER: tests the AArch64 wheels in FOLDER. qemu-user executes them with the Python
# of Debian's arm64 packages, and the program also with bullseye's glibc 2.31. PYTHON installs them with pip, which
# supports other processors. Needs the network and 1 GB, but not root. `./dev wheel --arch aarch64 --try` calls it.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly PYTHON=$1 WHEELS=$2
FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/tilewright-qemu-XXXXXX")
readonly FOLDER
trap 'rm -rf "$FOLDER"' EXIT

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# An emulated program cannot start another AArch64 program, so each is started from here.
in_root() { # ROOT PROGRAM ARGUMENT...
  printf '+ %s\n' "${*:2}" >&2
  env -i PATH=/usr/bin:/bin HOME="$FOLDER" ${SITE:+PYTHONPATH="$SITE"} qemu-aarch64 -L "$@"
}

run_program() { # ROOT
  local sums
  sums=$(in_root "$1" "$SITE/tilewright/bin/tilewright" run examples/vector_add.mlir --grid 3 \
    --arg 'array:iota(2500xf32)' --arg 'array:iota(2500xf32)' --arg 'array:zeros(2500xf32),print')
  echo "$sums"
  [[ $sums == *'[   0    2    4 ... 4994 4996 4998]'* ]] || fail "the sums are wrong"
  in_root "$1" "$SITE/tilewright/bin/tilewright" compile examples/vector_add.mlir -o "$FOLDER/vector_add.o"
  [[ $(readelf -h "$FOLDER/vector_add.o") == *AArch64* ]] || fail "the compiled kernel is not for AArch64"
}

try_python() { # SUITE VERSION PACKAGE...
  local suite=$1 version=$2 root=$FOLDER/$1
  SITE=$FOLDER/site-$version
  packaging/fetch_debian.sh "$root" arm64 "$suite" libc6 libgcc-s1 libstdc++6 zlib1g libffi8 libsqlite3-0 \
    "python$version"{,-minimal} "libpython$version"{-minimal,-stdlib} "${@:3}"
  "$PYTHON" -m pip install --quiet --disable-pip-version-check --only-binary=:all: --python-version "$version" \
    --implementation cp --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 \
    --platform manylinux2014_aarch64 --constraint requirements.txt --constraint test/requirements.txt \
    --find-links "$WHEELS" --target "$SITE" 'tilewright[cutile]'
  in_root "$root" "$root/usr/bin/python$version" packaging/try_wheel.py examples/vector_add.mlir
  in_root "$root" "$root/usr/bin/python$version" examples/python/vector_add.py
  run_program "$root"
  echo "The wheel works with Python $version of Debian's $suite for AArch64."
}

try_python bookworm 3.11 libexpat1 libssl3
try_python trixie 3.13 base-files libexpat1 libssl3t64
packaging/fetch_debian.sh "$FOLDER/bullseye" arm64 bullseye libc6 libgcc-s1 zlib1g
run_program "$FOLDER/bullseye"
echo "The program works with glibc 2.31 for AArch64."
