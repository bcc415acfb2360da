// Overlapping windows of 4, two elements apart: the index of a strided view counts windows, not
// elements.
// RUN: %pair --grid 3 --arg "iota(8xi32)" --arg "zeros(3xi32),print" | FileCheck %s

!windows = !cuda_tile.strided_view<tile=(4), traversal_strides=[2], tensor_view<8xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %in_view = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %windows = make_strided_view %in_view : !windows
    %distance = constant <i32: 2> : tile<i32>
    %element = muli %x, %distance : tile<i32>
    // CHECK: strided-view.mlir:[[#@LINE+1]]:{{.*}} error: block (2, 0, 0): load_view_tko: index 0 is 4, but the view has only 4 along this dimension [index-space]
    %v, %t0 = load_view_tko weak %windows[%element] : !windows, tile<i32> -> tile<4xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %to = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    // What the window outside reads as, nothing specifies.
    // CHECK: strided-view.mlir:[[#@LINE+1]]:{{.*}} warning: block (2, 0, 0): store_ptr_tko: {{.*}} [unspecified]
    %t1 = store_ptr_tko weak %to, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  // 0+1+2+3, 2+3+4+5, 4+5+6+7
  // CHECK: fixed:
  // CHECK: [ 6 14 22]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %in_view = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %windows = make_strided_view %in_view : !windows
    %v, %t0 = load_view_tko weak %windows[%x] : !windows, tile<i32> -> tile<4xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %to = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t1 = store_ptr_tko weak %to, %sum : tile<ptr<i32>>, tile<i32> -> token
  }
}
