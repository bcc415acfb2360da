#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# packaging/try.sh FOLDER: tests the packages in FOLDER on a Debian that contains only them and their
# dependences. There, a kernel runs and is compiled to a library without a C compiler; then a C program
# launches that library. Needs root, the network, 2 GB and some minutes. `./dev package --try` calls it.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly PACKAGES=$1
# shellcheck source=packaging/debian.sh
source packaging/debian.sh

make_debian bookworm
cp "$PACKAGES"/*.deb "$ROOT/packages/"
cp examples/vector_add.mlir "$ROOT/work/"

inside sh -c 'apt-get install -q -y --no-install-recommends /packages/*.deb'
for program in cc gcc clang clang-22 ld; do
  if inside sh -c "command -v $program"; then fail "$program is there, though nothing depends on it"; fi
done
inside tilewright --version
provided=$(cut -d' ' -f1 "$ROOT"/var/lib/dpkg/info/libtilewright*.shlibs | sort | xargs)
[[ $provided == 'libtilewright libtilewright-runtime' ]] || fail "packages provide: $provided"
sums=$(inside tilewright run /work/vector_add.mlir --grid 3 --arg 'array:iota(2500xf32)' \
  --arg 'array:iota(2500xf32)' --arg 'array:zeros(2500xf32),print')
echo "$sums"
[[ $sums == *'[   0    2    4 ... 4994 4996 4998]'* ]] || fail "the sums are wrong"
inside tilewright compile /work/vector_add.mlir -o /work/vector_add.so --header /work/vector_add.h

inside apt-get install -q -y gcc libc6-dev
cp test/install/launch.c "$ROOT/work/"
inside tilewright compile /work/vector_add.mlir -o /work/vector_add.o
inside cc -I/work /work/launch.c /work/vector_add.o -ltilewright-runtime -lm -o /work/launch
inside /work/launch /work/vector_add.so
inside apt-get purge -q -y libtilewright-dev tilewright 'libtilewright*'
left=$(find "$ROOT/usr" -name '*tilewright*')
[[ -z $left ]] || fail "purging leaves $left"
echo "The packages work on a fresh Debian."
