// An access to millions of elements, most of which lie outside of the array: element i lies at 2 * i.
// Dropped elements must not cost much: no text is made for findings that are not reported.

// RUN: %tilewright run %s --grid 1 --arg "zeros(4xi64),print" --check none --schedule random | FileCheck %s
// CHECK: [7 0 7 0]
// RUN: not %tilewright run %s --device reference --grid 1 --arg "zeros(4xi64)" 2>&1 | FileCheck %s --check-prefix=FINDING
// FINDING: block (0, 0, 0): store_ptr_tko: element [2]: address {{.*}} just past the end of parameter 1 (4xi64)
// FINDING: 1 finding in the schedule 'program'.

cuda_tile.module @m {
  entry @far(%x: tile<ptr<i64>>) {
    %i = iota : tile<16777216xi64>
    %distance = constant <i64: 2> : tile<16777216xi64>
    %seven = constant <i64: 7> : tile<16777216xi64>
    %at = muli %i, %distance : tile<16777216xi64>
    %x1 = reshape %x : tile<ptr<i64>> -> tile<1xptr<i64>>
    %xs = broadcast %x1 : tile<1xptr<i64>> -> tile<16777216xptr<i64>>
    %to = offset %xs, %at : tile<16777216xptr<i64>>, tile<16777216xi64> -> tile<16777216xptr<i64>>
    %t = store_ptr_tko weak %to, %seven : tile<16777216xptr<i64>>, tile<16777216xi64> -> token
  }
}
