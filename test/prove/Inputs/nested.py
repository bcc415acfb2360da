# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nested.py DEPTH: a kernel whose loops are nested, each with a carried index."""

import sys

depth = int(sys.argv[1])
print("cuda_tile.module @m {\nentry @nested(%x: tile<ptr<i8>>, %n: tile<i32>) {")
print("%a0 = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>")
for level in range(depth):
    print(f"%r{level} = for %i{level} in (%a0 to %n, step %one) : tile<i32> "
          f"iter_values(%a{level + 1} = %a{level}) -> (tile<i32>) {{")
print(f"%p = offset %x, %a{depth} : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>")
print("%v, %t = load_ptr_tko weak %p : tile<ptr<i8>> -> tile<i8>, token")
for level in reversed(range(depth)):
    print(f"%b{level} = addi %a{level + 1}, %one : tile<i32>\ncontinue %b{level} : tile<i32>\n}}")
print("}\n}")
