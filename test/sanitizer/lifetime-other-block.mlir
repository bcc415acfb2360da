// Block 0 hands the address of its own storage to block 1, which may not go there: the storage is
// not `global`. Each waits for the other, so that the storage lives.
// RUN: %pair --grid 2 --arg "i64[0]" --arg "i32[0]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%mailbox: tile<ptr<i64>>, %done: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %null = constant <i64: 0> : tile<i64>
    %value = constant <i32: 42> : tile<i32>
    %is_first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    %start = make_token : token
    if %is_first {
      %cell = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
      %t0 = store_ptr_tko weak %cell, %value : tile<ptr<i32>>, tile<i32> -> token
      %address = ptr_to_int %cell : tile<ptr<i32>> -> tile<i64>
      %t1 = store_ptr_tko release device %mailbox, %address token=%t0 : tile<ptr<i64>>, tile<i64> -> token
      %read = loop iter_values(%t = %t1) : token -> token {
        %d, %td = load_ptr_tko acquire device %done token=%t : tile<ptr<i32>> -> tile<i32>, token
        %is_done = cmpi not_equal %d, %zero, signed : tile<i32> -> tile<i1>
        if %is_done { break %td : token }
        continue %td : token
      }
    } else {
      %address, %sent = loop iter_values(%t = %start) : token -> tile<i64>, token {
        %a, %ta = load_ptr_tko acquire device %mailbox token=%t : tile<ptr<i64>> -> tile<i64>, token
        %is_there = cmpi not_equal %a, %null, unsigned : tile<i64> -> tile<i1>
        if %is_there { break %a, %ta : tile<i64>, token }
        continue %ta : token
      }
      %theirs = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
      // CHECK: other-block.mlir:[[#@LINE+1]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: address 0x{{.*}} lies in the alloca at {{.*}}other-block.mlir:[[#@LINE-18]]:{{.*}}, which is not `global` and belongs to another tile block [lifetime]
      %v, %t2 = load_ptr_tko weak %theirs token=%sent : tile<ptr<i32>> -> tile<i32>, token
      %t3 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
      %t4 = store_ptr_tko release device %done, %value token=%t2 : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [42]
  entry @fixed(%mailbox: tile<ptr<i64>>, %done: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %null = constant <i64: 0> : tile<i64>
    %value = constant <i32: 42> : tile<i32>
    %is_first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    %start = make_token : token
    if %is_first {
      %cell = alloca num_elem = 1, alignment = 4 global : tile<ptr<i32>>
      %t0 = store_ptr_tko weak %cell, %value : tile<ptr<i32>>, tile<i32> -> token
      %address = ptr_to_int %cell : tile<ptr<i32>> -> tile<i64>
      %t1 = store_ptr_tko release device %mailbox, %address token=%t0 : tile<ptr<i64>>, tile<i64> -> token
      %read = loop iter_values(%t = %t1) : token -> token {
        %d, %td = load_ptr_tko acquire device %done token=%t : tile<ptr<i32>> -> tile<i32>, token
        %is_done = cmpi not_equal %d, %zero, signed : tile<i32> -> tile<i1>
        if %is_done { break %td : token }
        continue %td : token
      }
    } else {
      %address, %sent = loop iter_values(%t = %start) : token -> tile<i64>, token {
        %a, %ta = load_ptr_tko acquire device %mailbox token=%t : tile<ptr<i64>> -> tile<i64>, token
        %is_there = cmpi not_equal %a, %null, unsigned : tile<i64> -> tile<i1>
        if %is_there { break %a, %ta : tile<i64>, token }
        continue %ta : token
      }
      %theirs = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
      %v, %t2 = load_ptr_tko weak %theirs token=%sent : tile<ptr<i32>> -> tile<i32>, token
      %t3 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
      %t4 = store_ptr_tko release device %done, %value token=%t2 : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
