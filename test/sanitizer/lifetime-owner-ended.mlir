// Block 0 publishes `global` storage and ends, and the storage with it. Memory that outlives a
// block is a `global` of the module.
// RUN: %pair --grid 2 --arg "i64[0]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  global private @cell <i32: 0> : tile<1xi32>

  entry @bug(%mailbox: tile<ptr<i64>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %null = constant <i64: 0> : tile<i64>
    %value = constant <i32: 42> : tile<i32>
    %is_first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %cell = alloca num_elem = 1, alignment = 4 global : tile<ptr<i32>>
      %t0 = store_ptr_tko weak %cell, %value : tile<ptr<i32>>, tile<i32> -> token
      %address = ptr_to_int %cell : tile<ptr<i32>> -> tile<i64>
      %t1 = store_ptr_tko release device %mailbox, %address token=%t0 : tile<ptr<i64>>, tile<i64> -> token
    } else {
      %start = make_token : token
      %address, %sent = loop iter_values(%t = %start) : token -> tile<i64>, token {
        %a, %ta = load_ptr_tko acquire device %mailbox token=%t : tile<ptr<i64>> -> tile<i64>, token
        %is_there = cmpi not_equal %a, %null, unsigned : tile<i64> -> tile<i1>
        if %is_there { break %a, %ta : tile<i64>, token }
        continue %ta : token
      }
      %theirs = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
      // CHECK: owner-ended.mlir:[[#@LINE+1]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: address 0x{{.*}} lies in the alloca at {{.*}}owner-ended.mlir:[[#@LINE-13]]:{{.*}}, whose scope has ended [lifetime]
      %v, %t2 = load_ptr_tko weak %theirs token=%sent : tile<ptr<i32>> -> tile<i32>, token
      %t3 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [42]
  entry @fixed(%mailbox: tile<ptr<i64>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %null = constant <i64: 0> : tile<i64>
    %value = constant <i32: 42> : tile<i32>
    %is_first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %cell = get_global @cell : tile<ptr<i32>>
      %t0 = store_ptr_tko weak %cell, %value : tile<ptr<i32>>, tile<i32> -> token
      %address = ptr_to_int %cell : tile<ptr<i32>> -> tile<i64>
      %t1 = store_ptr_tko release device %mailbox, %address token=%t0 : tile<ptr<i64>>, tile<i64> -> token
    } else {
      %start = make_token : token
      %address, %sent = loop iter_values(%t = %start) : token -> tile<i64>, token {
        %a, %ta = load_ptr_tko acquire device %mailbox token=%t : tile<ptr<i64>> -> tile<i64>, token
        %is_there = cmpi not_equal %a, %null, unsigned : tile<i64> -> tile<i1>
        if %is_there { break %a, %ta : tile<i64>, token }
        continue %ta : token
      }
      %theirs = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
      %v, %t2 = load_ptr_tko weak %theirs token=%sent : tile<ptr<i32>> -> tile<i32>, token
      %t3 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
