# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m tilewright script.py` runs a cuTile script without a GPU; see `--help` for details."""

import sys

from tilewright import _exec

if __name__ == "__main__":
    sys.exit(_exec.main(sys.argv[1:], [sys.executable], "python -m tilewright"))
