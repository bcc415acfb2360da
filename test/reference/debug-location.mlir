// A finding leads to the line of the language that the kernel was written in (types, 10). Debug
// information counts columns of Python files from 0, reports from 1.

// RUN: not %tilewright run --device reference %s --grid 1 --arg "i32[0]" 2>&1 | FileCheck %s
// CHECK: kernel.py:42:8: error: block (0, 0, 0): extract: there is no slice 4 along dimension 0, which has 2

#file = #cuda_tile.di_file<"kernel.py" in "/home/user">
#unit = #cuda_tile.di_compile_unit<file = #file>
#kernel = #cuda_tile.di_subprogram<file = #file, line = 40, name = "kernel", linkageName = "kernel", compileUnit = #unit, scopeLine = 40>
#line = loc(#cuda_tile.di_loc<loc("kernel.py":42:7) in #kernel>)
cuda_tile.module @case {
  entry @kernel(%p: tile<ptr<i32>>) {
    %four = constant <i32: 4> : tile<i32> loc(#line)
    %all = iota : tile<4xi32> loc(#line)
    %v = extract %all[%four] : tile<4xi32> -> tile<2xi32> loc(#line)
    return loc(#line)
  } loc(#line)
}
