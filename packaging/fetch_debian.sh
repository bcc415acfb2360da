#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# packaging/fetch_debian.sh FOLDER ARCHITECTURE SUITES PACKAGE...: unpacks Debian packages from other suites ("trixie",
# "bookworm bookworm-security") or for another processor into FOLDER, and writes FOLDER/stamp. It installs nothing: apt
# works in a separate folder, with only those suites, so that this system's lists and architectures do not change.
# Dependencies must be listed, too. Needs the network, but neither root nor the other processor.

set -euo pipefail

readonly FOLDER=$1 ARCHITECTURE=$2 SUITES=$3 PACKAGES=("${@:4}")
readonly MIRROR=http://deb.debian.org
readonly KEYS=/usr/share/keyrings/debian-archive-keyring.gpg
for program in apt-get dpkg-deb; do
  command -v "$program" >/dev/null || {
    echo "fetch_debian.sh: ${PACKAGES[*]} of Debian's $SUITES are needed, but there is no $program to fetch them" >&2
    exit 1
  }
done

rm -rf "$FOLDER"
mkdir -p "$FOLDER"
APT=$(realpath "$FOLDER")/apt
readonly APT
mkdir -p "$APT"/{etc/preferences.d,state/lists/partial,cache/archives/partial,debs}
: >"$APT/status"
for suite in $SUITES; do
  archive=debian
  [[ $suite != *-security ]] || archive=debian-security
  echo "deb [signed-by=$KEYS] $MIRROR/$archive $suite main" >>"$APT/etc/sources.list"
done

in_folder() {
  apt-get -q -q -o Dir::Etc="$APT/etc" -o Dir::State="$APT/state" -o Dir::State::status="$APT/status" \
    -o Dir::Cache="$APT/cache" -o APT::Architecture="$ARCHITECTURE" -o APT::Architectures="$ARCHITECTURE" \
    -o APT::Sandbox::User= "$@"
}

echo "Fetching ${PACKAGES[*]} of Debian's $SUITES for $ARCHITECTURE" >&2
in_folder update
(cd "$APT/debs" && in_folder download "${PACKAGES[@]}")
for package in "$APT"/debs/*.deb; do dpkg-deb --extract "$package" "$FOLDER"; done
rm -rf "$APT"
echo "$ARCHITECTURE $SUITES ${PACKAGES[*]}" >"$FOLDER/stamp"
