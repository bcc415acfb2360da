# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Functions to try packages in a fresh Debian in a temporary folder, $ROOT: `make_debian SUITE` creates
# it, `inside COMMAND...` runs a command there. It is deleted when the script ends. Needs root, the
# network and debootstrap.

readonly MIRROR=http://deb.debian.org
ROOT=$(mktemp -d "${TMPDIR:-/tmp}/tilewright-debian-XXXXXX")
readonly ROOT
trap 'umount "$ROOT/proc" 2>/dev/null || true; rm -rf --one-file-system "$ROOT"' EXIT

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

inside() {
  printf '+ %s\n' "$*" >&2
  chroot "$ROOT" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
    DEBIAN_FRONTEND=noninteractive "$@"
}

# The security suite provides the LLVM packages that ./dev requires, too.
make_debian() { # SUITE
  debootstrap --variant=minbase "$1" "$ROOT" "$MIRROR/debian"
  echo "deb $MIRROR/debian-security $1-security main" >>"$ROOT/etc/apt/sources.list"
  mount -t proc proc "$ROOT/proc"
  mkdir "$ROOT/packages" "$ROOT/work"
  inside apt-get update -q
}
