// One block sets a byte of a word, and another one waits until the word is not zero. Both are relaxed, but they are
// not to the same location, so they are not morally strong (memory model, 6 and 7).
// RUN: %pair --grid 2 --arg "i32[0]" --arg "i32[0],print" | FileCheck %s
// All executions say the same.
// RUN: not %tilewright run %s --entry bug --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: error: block (1, 0, 0): load_ptr_tko: race on parameter 1 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and they overlap in part only [race]
// RUN: %tilewright run %s --entry fixed --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule exhaustive

cuda_tile.module @sanitizer {
  entry @bug(%word: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i8: 1> : tile<i8>
    %byte = ptr_to_ptr %word : tile<ptr<i32>> -> tile<ptr<i8>>
    %is_first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko relaxed device %byte, %one : tile<ptr<i8>>, tile<i8> -> token
    } else {
      %start = make_token : token
      %v = loop iter_values(%before = %start) : token -> tile<i32> {
        // CHECK: flag-byte-of-word.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: race on parameter 1 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and they overlap in part only [race]
        // CHECK-NEXT: flag-byte-of-word.mlir:[[#@LINE-5]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
        %f, %after = load_ptr_tko relaxed device %word token=%before : tile<ptr<i32>> -> tile<i32>, token
        %is_set = cmpi not_equal %f, %zero, signed : tile<i32> -> tile<i1>
        if %is_set { break %f : tile<i32> }
        continue %after : token
      }
      %s = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [1]
  entry @fixed(%word: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko relaxed device %word, %one : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %start = make_token : token
      %v = loop iter_values(%before = %start) : token -> tile<i32> {
        %f, %after = load_ptr_tko relaxed device %word token=%before : tile<ptr<i32>> -> tile<i32>, token
        %is_set = cmpi not_equal %f, %zero, signed : tile<i32> -> tile<i1>
        if %is_set { break %f : tile<i32> }
        continue %after : token
      }
      %s = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
