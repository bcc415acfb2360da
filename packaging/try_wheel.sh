#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# packaging/try_wheel.sh PYTHON FOLDER SUITE: tests a wheel in FOLDER on this Debian suite, with Python but without LLVM
# packages.
#
#   bullseye   glibc 2.31, with Python 3.13, which is compiled there
#   bookworm   glibc 2.36, with Python 3.11
#   trixie     glibc 2.41, with Python 3.13
#
# PYTHON fetches the wheel's dependencies, so that pip needs no network there. Needs root, the network, 1.5 GB and some
# minutes. `./dev wheel --try` calls it.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly PYTHON=$1 WHEELS=$2 SUITE=$3
# shellcheck source=packaging/debian.sh
source packaging/debian.sh
case $SUITE in
bookworm) readonly VERSION=3.11 ;;
bullseye | trixie) readonly VERSION=3.13 ;;
*) fail "expected bullseye, bookworm or trixie, but got '$SUITE'" ;;
esac

# From trixie's source package; the newest Python in bullseye is 3.9.
compile_python() {
  cp /usr/share/keyrings/debian-archive-keyring.gpg "$ROOT/work/"
  echo "deb-src [signed-by=/work/debian-archive-keyring.gpg] $MIRROR/debian trixie main" >>"$ROOT/etc/apt/sources.list"
  inside apt-get update -q
  inside apt-get install -q -y --no-install-recommends gcc libc6-dev make xz-utils zlib1g-dev libffi-dev libsqlite3-dev
  inside sh -c "cd /work && apt-get source -q --download-only python$VERSION && tar -xf python${VERSION}_*.orig.tar.xz &&
    cd Python-$VERSION* && ./configure -q --prefix=/usr --disable-test-modules && make -s -j $(nproc) && make -s altinstall" >"$ROOT/log" 2>&1 ||
    { tail -20 "$ROOT/log"; fail "Python $VERSION does not compile"; }
}

make_debian "$SUITE"
if [[ $SUITE == bullseye ]]; then
  compile_python
else
  inside apt-get install -q -y --no-install-recommends python3-venv
fi
"$PYTHON" -m pip download --quiet --disable-pip-version-check --only-binary=:all: --python-version "$VERSION" \
  --implementation cp --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 \
  --constraint requirements.txt --constraint test/requirements.txt --find-links "$WHEELS" --dest "$ROOT/packages" \
  'tilewright[cutile]'
cp -r examples/vector_add.mlir examples/python packaging/try_wheel.py "$ROOT/work/"
if inside sh -c "ls /usr/lib/*/libLLVM* /usr/lib/llvm* /usr/lib/*/libMLIR* 2>/dev/null"; then
  fail "the Debian has LLVM"
fi

inside "python$VERSION" -m venv /work/venv
inside /work/venv/bin/pip install -q --no-index --find-links /packages 'tilewright[cutile]'
inside /work/venv/bin/python /work/try_wheel.py /work/vector_add.mlir
inside /work/venv/bin/python /work/python/run_all.py --quick
inside /work/venv/bin/tilewright exec /work/venv/bin/python /work/python/vector_add_ct_launch.py
inside /work/venv/bin/tilewright --version
sums=$(inside /work/venv/bin/tilewright run /work/vector_add.mlir --grid 3 --arg 'array:iota(2500xf32)' \
  --arg 'array:iota(2500xf32)' --arg 'array:zeros(2500xf32),print')
echo "$sums"
[[ $sums == *'[   0    2    4 ... 4994 4996 4998]'* ]] || fail "the sums are wrong"
# This Debian has no compiler: the library contains lld.
if inside sh -c "command -v cc gcc clang ld"; then fail "the Debian has a compiler"; fi
inside /work/venv/bin/tilewright compile /work/vector_add.mlir -o /work/vector_add.so
inside /work/venv/bin/python -c "import ctypes; ctypes.CDLL('/work/vector_add.so').vector_add_launch"
# The error names the missing program.
inside rm "$(inside /work/venv/bin/python -c 'import tilewright._program as p; print(p.PROGRAM)')"
if said=$(inside /work/venv/bin/tilewright --version 2>&1) || [[ $said != *'cannot execute '*bin/tilewright* ]]; then
  fail "without its program, tilewright says: $said"
fi
inside /work/venv/bin/pip uninstall -q -y tilewright
left=$(inside find /work/venv -path '*tilewright*' -not -name '*.pyc' -not -type d)
[[ -z $left ]] || fail "uninstalling leaves $left"
echo "$(basename "$ROOT"/packages/tilewright-*.whl) works on a fresh Debian, $SUITE."
