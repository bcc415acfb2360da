// Block 0 hands data to block 1 and raises a flag. Relaxed accesses of the flag meet, but carry
// nothing else along (memory model, 13, test 5).
// RUN: %pair --grid 2 --arg "f32[0]" --arg "i32[0]" --arg "zeros(1xf32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%data: tile<ptr<f32>>, %flag: tile<ptr<i32>>, %out: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 4.0> : tile<f32>
    %is_producer = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_producer {
      %stored = store_ptr_tko weak %data, %v : tile<ptr<f32>>, tile<f32> -> token
      %published = store_ptr_tko relaxed device %flag, %one token=%stored : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %start = make_token : token
      %seen = loop iter_values(%before = %start) : token -> token {
        %f, %after = load_ptr_tko relaxed device %flag token=%before : tile<ptr<i32>> -> tile<i32>, token
        %is_set = cmpi not_equal %f, %zero, signed : tile<i32> -> tile<i1>
        if %is_set { break %after : token }
        continue %after : token
      }
      // CHECK: flag-relaxed.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: race on parameter 1 (1xf32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
      // CHECK-NEXT: flag-relaxed.mlir:[[#@LINE-11]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
      %r, %loaded = load_ptr_tko weak %data token=%seen : tile<ptr<f32>> -> tile<f32>, token
      %t = store_ptr_tko weak %out, %r : tile<ptr<f32>>, tile<f32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [4]
  entry @fixed(%data: tile<ptr<f32>>, %flag: tile<ptr<i32>>, %out: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 4.0> : tile<f32>
    %is_producer = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_producer {
      %stored = store_ptr_tko weak %data, %v : tile<ptr<f32>>, tile<f32> -> token
      %published = store_ptr_tko release device %flag, %one token=%stored : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %start = make_token : token
      %seen = loop iter_values(%before = %start) : token -> token {
        %f, %after = load_ptr_tko acquire device %flag token=%before : tile<ptr<i32>> -> tile<i32>, token
        %is_set = cmpi not_equal %f, %zero, signed : tile<i32> -> tile<i1>
        if %is_set { break %after : token }
        continue %after : token
      }
      %r, %loaded = load_ptr_tko weak %data token=%seen : tile<ptr<f32>> -> tile<f32>, token
      %t = store_ptr_tko weak %out, %r : tile<ptr<f32>>, tile<f32> -> token
    }
  }
}
