// Blocks store partial sums and count themselves; the last one adds the sums up. A relaxed counter
// says that the others are done, but not that their stores are visible (memory model, 13, test 35).
// RUN: %pair --grid 4 --arg "zeros(4xi32)" --arg "i32[0]" --arg "zeros(1xi32),print" | FileCheck %s

!four = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%parts: tile<ptr<i32>>, %counter: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %last = constant <i32: 3> : tile<i32>
    %mine = addi %x, %one : tile<i32>
    %at = offset %parts, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %stored = store_ptr_tko weak %at, %mine : tile<ptr<i32>>, tile<i32> -> token
    %before, %counted = atomic_rmw_tko relaxed device %counter, add, %one token=%stored : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %is_last = cmpi equal %before, %last, signed : tile<i32> -> tile<i1>
    if %is_last {
      %view = make_tensor_view %parts, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
      %tiles = make_partition_view %view : !four
      // CHECK: split-k.mlir:[[#@LINE+2]]:{{.*}} error: block (3, 0, 0): load_view_tko: element [0]: race on parameter 1 (4xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
      // CHECK-NEXT: split-k.mlir:[[#@LINE-7]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
      %all, %loaded = load_view_tko weak %tiles[%zero] token = %counted : !four, tile<i32> -> tile<4xi32>, token
      %sum = reduce %all dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
        %s = addi %a, %b : tile<i32>
        yield %s : tile<i32>
      }
      %t = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [10]
  entry @fixed(%parts: tile<ptr<i32>>, %counter: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %last = constant <i32: 3> : tile<i32>
    %mine = addi %x, %one : tile<i32>
    %at = offset %parts, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %stored = store_ptr_tko weak %at, %mine : tile<ptr<i32>>, tile<i32> -> token
    %before, %counted = atomic_rmw_tko acq_rel device %counter, add, %one token=%stored : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %is_last = cmpi equal %before, %last, signed : tile<i32> -> tile<i1>
    if %is_last {
      %view = make_tensor_view %parts, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
      %tiles = make_partition_view %view : !four
      %all, %loaded = load_view_tko weak %tiles[%zero] token = %counted : !four, tile<i32> -> tile<4xi32>, token
      %sum = reduce %all dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
        %s = addi %a, %b : tile<i32>
        yield %s : tile<i32>
      }
      %t = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
