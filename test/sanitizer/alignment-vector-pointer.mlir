// A record of bytes: a tag of two, then words. Read through a pointer to words, the words begin
// at byte 2. The corrected format pads the tag to four.
// RUN: %pair --grid 1 --arg "i8[7, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0]" --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%record: tile<ptr<i8>>, %out: tile<ptr<i32>>) {
    %tag = constant <i32: 2> : tile<i32>
    %payload = offset %record, %tag : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %words = ptr_to_ptr %payload : tile<ptr<i8>> -> tile<ptr<i32>>
    // CHECK: vector-pointer.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: address 0x{{.*}}2 is not a multiple of 4, the size of i32 [alignment]
    %v, %t0 = load_ptr_tko weak %words : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [2 0]
  entry @fixed(%record: tile<ptr<i8>>, %out: tile<ptr<i32>>) {
    %tag = constant <i32: 4> : tile<i32>
    %payload = offset %record, %tag : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %words = ptr_to_ptr %payload : tile<ptr<i8>> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %words : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
