#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# packaging/try_wheel.sh PYTHON FOLDER: does the wheel in FOLDER work on a Debian that has Python and
# no package of LLVM? PYTHON, of the same version as Debian's, fetches what the wheel depends on, so
# that pip needs no network there. Needs root, the network, 1.5 GB and some minutes.
# `./dev wheel --try` calls it.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly PYTHON=$1 WHEELS=("$2"/*.whl)
# shellcheck source=packaging/debian.sh
source packaging/debian.sh
((${#WHEELS[@]} == 1)) || fail "expected one wheel in $2, but there are ${#WHEELS[@]}"

make_debian
inside apt-get install -q -y --no-install-recommends python3-venv
"$PYTHON" -m pip download --quiet --disable-pip-version-check --only-binary=:all: \
  --constraint requirements.txt --constraint test/requirements.txt --dest "$ROOT/packages" "${WHEELS[0]}[cutile]"
cp -r examples/vector_add.mlir examples/python packaging/try_wheel.py "$ROOT/work/"
if inside sh -c "ls /usr/lib/*/libLLVM* /usr/lib/llvm* /usr/lib/*/libMLIR* 2>/dev/null"; then
  fail "the Debian has LLVM"
fi

inside python3 -m venv /work/venv
inside /work/venv/bin/pip install -q --no-index --find-links /packages 'tilewright[cutile]'
inside /work/venv/bin/python /work/try_wheel.py /work/vector_add.mlir
inside /work/venv/bin/python /work/python/run_all.py --quick
inside /work/venv/bin/tilewright exec /work/venv/bin/python /work/python/vector_add_ct_launch.py
inside /work/venv/bin/tilewright --version
sums=$(inside /work/venv/bin/tilewright run /work/vector_add.mlir --grid 3 --arg 'array:iota(2500xf32)' \
  --arg 'array:iota(2500xf32)' --arg 'array:zeros(2500xf32),print')
echo "$sums"
[[ $sums == *'[   0    2    4 ... 4994 4996 4998]'* ]] || fail "the sums are wrong"
# The Debian has no compiler: lld is a part of the library.
if inside sh -c "command -v cc gcc clang ld"; then fail "the Debian has a compiler"; fi
inside /work/venv/bin/tilewright compile /work/vector_add.mlir -o /work/vector_add.so
inside /work/venv/bin/python -c "import ctypes; ctypes.CDLL('/work/vector_add.so').vector_add_launch"
# A program that is missing is named.
inside rm "$(inside /work/venv/bin/python -c 'import tilewright._program as p; print(p.PROGRAM)')"
if said=$(inside /work/venv/bin/tilewright --version 2>&1) || [[ $said != *'cannot execute '*bin/tilewright* ]]; then
  fail "without its program, tilewright says: $said"
fi
inside /work/venv/bin/pip uninstall -q -y tilewright
left=$(inside find /work/venv -path '*tilewright*' -not -name '*.pyc' -not -type d)
[[ -z $left ]] || fail "uninstalling leaves $left"
echo "The wheel works on a fresh Debian."
