// %s would read memory at an address that is a number.
// RUN: %pair --grid 1 | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    // CHECK: as-string.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): print_tko: '%s' cannot print an element [print]
    %t = print_tko "block %s\n", %x : tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: block 0
  entry @fixed() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = print_tko "block %d\n", %x : tile<i32> -> token
  }
}
