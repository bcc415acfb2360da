// The check `origin` follows undefined and unspecified elements. Each row has one element that is
// specified, and no padding.

// An integer swap that fails leaves the mark in memory.
// RUN: %tilewright run --device reference %s --entry failing_swap --grid 1 --check origin --arg "i32[5]" --arg "zeros(2xi32)" 2>&1 | FileCheck %s --check-prefix=SWAP
// SWAP: warning: block (0, 0, 0): load_view_tko: element [1]: nothing is read, and there is no padding [origin]
// SWAP: note: parameter 2 (2xi32)[1] is unspecified
// One that succeeds replaces it: memory holds 0, the bits of an unspecified element.
// RUN: %tilewright run --device reference %s --entry swap --grid 1 --check origin --arg "i32[5]" --arg "zeros(2xi32)" 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: warning

// Two f4E2M1FN elements share a byte.
// RUN: %tilewright run --device reference %s --entry halves --grid 1 --check origin --arg "zeros(2xf4E2M1FN)" --arg "zeros(4xf4E2M1FN)" 2>&1 | FileCheck %s --check-prefix=HALVES
// HALVES: note: 3 elements are unspecified, the first is parameter 2 (4xf4E2M1FN)[1]

// A store that `undefined` or `unspecified` reports is not reported again.
// RUN: not %tilewright run --device reference %s --entry converted --grid 1 --check all,origin --arg "f32[inf]" --arg "zeros(1xi32)" 2>&1 | FileCheck %s --check-prefix=UNDEFINED --implicit-check-not=[origin]
// UNDEFINED: error: block (0, 0, 0): {{.*}}undefined
// RUN: %tilewright run --device reference %s --entry failing_swap --grid 1 --check unspecified,origin --arg "i32[5]" --arg "zeros(2xi32)" 2>&1 | FileCheck %s --check-prefix=UNSPECIFIED --implicit-check-not=[origin]
// UNSPECIFIED: warning: block (0, 0, 0): store_view_tko: element [1]: an unspecified value is stored to parameter 2 (2xi32) [unspecified]
// Without these checks, it is.
// RUN: %tilewright run --device reference %s --entry converted --grid 1 --check origin --arg "f32[inf]" --arg "zeros(1xi32)" 2>&1 | FileCheck %s --check-prefix=ORIGIN
// ORIGIN: note: parameter 2 (1xi32)[0] is unspecified

!row = !cuda_tile.partition_view<tile=(2), tensor_view<1xi32, strides=[1]>>
!out = !cuda_tile.partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>
!row4 = !cuda_tile.partition_view<tile=(4), tensor_view<1xf4E2M1FN, strides=[1]>>
!out4 = !cuda_tile.partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>

cuda_tile.module @marks {
  entry @failing_swap(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %expected = constant <i32: 77> : tile<i32>
    %in_view = make_tensor_view %in, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %in_tiles = make_partition_view %in_view : !row
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %out_tiles = make_partition_view %out_view : !out
    %x, %t0 = load_view_tko weak %in_tiles[%0] : !row, tile<i32> -> tile<2xi32>, token
    %t1 = store_view_tko weak %x, %out_tiles[%0] : tile<2xi32>, !out, tile<i32> -> token
    %p = offset %out, %1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %was, %t2 = atomic_cas_tko relaxed device %p, %expected, %1 token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  entry @swap(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %in_view = make_tensor_view %in, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %in_tiles = make_partition_view %in_view : !row
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %out_tiles = make_partition_view %out_view : !out
    %x, %t0 = load_view_tko weak %in_tiles[%0] : !row, tile<i32> -> tile<2xi32>, token
    %t1 = store_view_tko weak %x, %out_tiles[%0] : tile<2xi32>, !out, tile<i32> -> token
    %p = offset %out, %1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %was, %t2 = atomic_cas_tko relaxed device %p, %0, %1 token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  entry @halves(%in: tile<ptr<f4E2M1FN>>, %out: tile<ptr<f4E2M1FN>>) {
    %0 = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [1], strides = [1] : tensor_view<1xf4E2M1FN, strides=[1]>
    %in_tiles = make_partition_view %in_view : !row4
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>
    %out_tiles = make_partition_view %out_view : !out4
    %x, %t0 = load_view_tko weak %in_tiles[%0] : !row4, tile<i32> -> tile<4xf4E2M1FN>, token
    %t1 = store_view_tko weak %x, %out_tiles[%0] : tile<4xf4E2M1FN>, !out4, tile<i32> -> token
  }

  entry @converted(%in: tile<ptr<f32>>, %out: tile<ptr<i32>>) {
    %x, %t0 = load_ptr_tko weak %in : tile<ptr<f32>> -> tile<f32>, token
    %d = subf %x, %x : tile<f32>
    %n = ftoi %d signed : tile<f32> -> tile<i32>
    %t1 = store_ptr_tko weak %out, %n : tile<ptr<i32>>, tile<i32> -> token
  }
}
