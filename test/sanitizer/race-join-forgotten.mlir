// A row is put together by two stores and read as a whole, after the second of them only.
// RUN: %pair --grid 1 --arg "zeros(4xi32)" --arg "zeros(1xi32),print" | FileCheck %s

!halves = !cuda_tile.partition_view<tile=(2), tensor_view<4xi32, strides=[1]>>
!whole = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%row: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %left = constant <i32: 0> : tile<i32>
    %right = constant <i32: 1> : tile<i32>
    %ones = constant <i32: 1> : tile<2xi32>
    %twos = constant <i32: 2> : tile<2xi32>
    %view = make_tensor_view %row, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %halves = make_partition_view %view : !halves
    %whole = make_partition_view %view : !whole
    %t0 = store_view_tko weak %ones, %halves[%left] : tile<2xi32>, !halves, tile<i32> -> token
    %t1 = store_view_tko weak %twos, %halves[%right] : tile<2xi32>, !halves, tile<i32> -> token
    // CHECK: forgotten.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_view_tko: element [0]: race on parameter 1 (4xi32)[0] with store_view_tko by block (0, 0, 0): {{.*}} [race]
    // CHECK-NEXT: forgotten.mlir:[[#@LINE-3]]:{{.*}} note: the earlier access: store_view_tko by block (0, 0, 0)
    %v, %t2 = load_view_tko weak %whole[%left] token = %t1 : !whole, tile<i32> -> tile<4xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %t3 = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [6]
  entry @fixed(%row: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %left = constant <i32: 0> : tile<i32>
    %right = constant <i32: 1> : tile<i32>
    %ones = constant <i32: 1> : tile<2xi32>
    %twos = constant <i32: 2> : tile<2xi32>
    %view = make_tensor_view %row, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %halves = make_partition_view %view : !halves
    %whole = make_partition_view %view : !whole
    %t0 = store_view_tko weak %ones, %halves[%left] : tile<2xi32>, !halves, tile<i32> -> token
    %t1 = store_view_tko weak %twos, %halves[%right] : tile<2xi32>, !halves, tile<i32> -> token
    %both = join_tokens %t0, %t1 : token
    %v, %t2 = load_view_tko weak %whole[%left] token = %both : !whole, tile<i32> -> tile<4xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %t3 = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
  }
}
