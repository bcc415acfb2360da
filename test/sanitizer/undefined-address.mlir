// A permutation is built in an alloca of four elements, of which a loop fills three; the fourth
// names an address.
// RUN: %pair --grid 1 --arg "i32[10, 20, 30, 40]" --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 3> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %last = constant <i32: 3> : tile<i32>
    %order = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
    %start = make_token : token
    %filled = for %i in (%from to %to, step %step) : tile<i32> iter_values(%t = %start) -> (token) {
      %mirrored = subi %last, %i : tile<i32>
      %at = offset %order, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %stored = store_ptr_tko weak %at, %mirrored token=%t : tile<ptr<i32>>, tile<i32> -> token
      continue %stored : token
    }
    %lane = iota : tile<4xi32>
    %order1 = reshape %order : tile<ptr<i32>> -> tile<1xptr<i32>>
    %orders = broadcast %order1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %order_at = offset %orders, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %index, %t0 = load_ptr_tko weak %order_at token=%filled : tile<4xptr<i32>> -> tile<4xi32>, token
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %in_at = offset %ins, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    // CHECK: address.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: element [3]: the address is undefined [undefined]
    // CHECK-NEXT: address.mlir:[[#@LINE-5]]:{{.*}} note: undefined from here: load_ptr_tko: {{.*}}reads memory that was never written
    %v, %t1 = load_ptr_tko weak %in_at : tile<4xptr<i32>> -> tile<4xi32>, token
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %out_at = offset %outs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t2 = store_ptr_tko weak %out_at, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: [40 30 20 10]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 4> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %last = constant <i32: 3> : tile<i32>
    %order = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
    %start = make_token : token
    %filled = for %i in (%from to %to, step %step) : tile<i32> iter_values(%t = %start) -> (token) {
      %mirrored = subi %last, %i : tile<i32>
      %at = offset %order, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %stored = store_ptr_tko weak %at, %mirrored token=%t : tile<ptr<i32>>, tile<i32> -> token
      continue %stored : token
    }
    %lane = iota : tile<4xi32>
    %order1 = reshape %order : tile<ptr<i32>> -> tile<1xptr<i32>>
    %orders = broadcast %order1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %order_at = offset %orders, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %index, %t0 = load_ptr_tko weak %order_at token=%filled : tile<4xptr<i32>> -> tile<4xi32>, token
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %in_at = offset %ins, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t1 = load_ptr_tko weak %in_at : tile<4xptr<i32>> -> tile<4xi32>, token
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %out_at = offset %outs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t2 = store_ptr_tko weak %out_at, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  }
}
