# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nest.py KIND: prints text with very deep nesting, or with text that only looks nested."""

import sys

DEEP = 100000
TEXTS = {
    "regions": "cuda_tile.module @m { entry @e(%b: tile<i1>) {" + "if %b {" * DEEP,
    "attributes": "#a = " + "[" * DEEP,
    "types": "!t = " + "tuple<" * DEEP,
    "locations": "#l = " + "loc(callsite(" * DEEP,
    "literals": "cuda_tile.module @m { global @g <f32: " + "[" * DEEP,
    "shape": "!t = !cuda_tile.tile<" + "1x" * DEEP + "i32>",
    # Brackets in strings, comments and arrows do not nest.
    "flat": "// " + "(" * 300 + '\n#a = "' + '(\\"' * 300 + '"\n' + "".join(f"!f{i} = () -> ()\n" for i in range(300)),
}
print(TEXTS[sys.argv[1]])
