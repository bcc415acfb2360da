# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""patch.py IN OUT OFFSET=BYTE...: copies a file with some bytes replaced."""

import pathlib
import sys

source, target, *changes = sys.argv[1:]
content = bytearray(pathlib.Path(source).read_bytes())
for change in changes:
    offset, byte = (int(number, 0) for number in change.split("="))
    content[offset] = byte
pathlib.Path(target).write_bytes(content)
