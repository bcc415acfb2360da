// Each iteration divides by what it has just read, and stores the quotient; the first divisor is 0.
// A schedule that stores late still knows that it was.
// RUN: %pair --grid 1 --arg "i32[0, 1, 2, 4]" --arg "zeros(4xi32),print" | FileCheck %s
// RUN: not %tilewright run %s --entry bug --grid 1 --arg "i32[0, 1, 2, 4]" --arg "zeros(4xi32)" --schedule random --seed 24 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: block (0, 0, 0): {{.*}} [{{division|undefined}}]

cuda_tile.module @sanitizer {
  entry @bug(%divisors: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    for %i in (%zero to %four, step %one) : tile<i32> {
      %from = offset %divisors, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v, %t0 = load_ptr_tko relaxed device %from : tile<ptr<i32>> -> tile<i32>, token
      // CHECK: loop.mlir:[[#@LINE+3]]:{{.*}} error: block (0, 0, 0): divi: 4 by 0 has no result [division]
      // CHECK-NEXT: loop.mlir:[[#@LINE+4]]:{{.*}} note: used here: store_ptr_tko: an undefined value is stored to parameter 2 (4xi32)
      // CHECK-NEXT: note: in iteration 1 of this loop, with induction value 0
      %q = divi %four, %v signed : tile<i32>
      %to = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t1 = store_ptr_tko relaxed device %to, %q : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
  }

  // CHECK: fixed:
  // CHECK: [0 4 2 1]
  entry @fixed(%divisors: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    for %i in (%zero to %four, step %one) : tile<i32> {
      %from = offset %divisors, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v, %t0 = load_ptr_tko relaxed device %from : tile<ptr<i32>> -> tile<i32>, token
      %is_zero = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
      %q = divi %four, %v signed : tile<i32>
      %wanted = select %is_zero, %zero, %q : tile<i1>, tile<i32>
      %to = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t1 = store_ptr_tko relaxed device %to, %wanted : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
  }
}
