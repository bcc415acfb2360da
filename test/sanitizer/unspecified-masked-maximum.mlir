// The largest of the first three of four elements. The mask keeps the fourth from being read, but
// gives it no value, and the maximum goes over all four.
// RUN: %pair --status=0 --grid 1 --arg "i32[-5, -7, -3, 9]" --arg 3 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %inside = cmpi less_than %i, %ns, signed : tile<4xi32> -> tile<4xi1>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t0 = load_ptr_tko weak %from, %inside : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %max = reduce %v dim=0 identities=[-2147483648 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %m = maxi %x, %y signed : tile<i32>
      yield %m : tile<i32>
    }
    // CHECK: maximum.mlir:[[#@LINE+2]]:{{.*}} warning: block (0, 0, 0): store_ptr_tko: an unspecified value is stored to parameter 3 (1xi32) [unspecified]
    // CHECK-NEXT: maximum.mlir:[[#@LINE-6]]:{{.*}} note: unspecified from here: load_ptr_tko: element [3]: the mask disables it, and there is no padding for it
    %t1 = store_ptr_tko weak %out, %max : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [-3]
  entry @fixed(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %inside = cmpi less_than %i, %ns, signed : tile<4xi32> -> tile<4xi1>
    %least = constant <i32: -2147483648> : tile<4xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t0 = load_ptr_tko weak %from, %inside, %least : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %max = reduce %v dim=0 identities=[-2147483648 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
      %m = maxi %x, %y signed : tile<i32>
      yield %m : tile<i32>
    }
    %t1 = store_ptr_tko weak %out, %max : tile<ptr<i32>>, tile<i32> -> token
  }
}
