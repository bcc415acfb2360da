// memory_fence_alias_tko orders aliases along the token chain of its own block. It is no release and
// no acquire: what another block reads behind a relaxed flag races all the same (13.4, section 5).
// RUN: %pair --some-schedule --grid 2 --arg "i32[0, 0]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%x: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %flag = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %is_first = cmpi equal %b, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %stored = store_ptr_tko weak %x, %seven : tile<ptr<i32>>, tile<i32> -> token
      %fenced = memory_fence_alias_tko %stored
      %t = store_ptr_tko relaxed device %flag, %one token=%fenced : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %start = make_token : token
      %seen = loop iter_values(%tk = %start) : token -> token {
        %f, %ft = load_ptr_tko relaxed device %flag token=%tk : tile<ptr<i32>> -> tile<i32>, token
        %set = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
        if %set { break %ft : token }
        continue %ft : token
      }
      %fenced = memory_fence_alias_tko %seen
      // CHECK: another-block.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: race on parameter 1 (2xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
      // CHECK-NEXT: another-block.mlir:14:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
      %v, %loaded = load_ptr_tko weak %x token=%fenced : tile<ptr<i32>> -> tile<i32>, token
      %t = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [7]
  entry @fixed(%x: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %flag = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %is_first = cmpi equal %b, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %stored = store_ptr_tko weak %x, %seven : tile<ptr<i32>>, tile<i32> -> token
      %fenced = memory_fence_alias_tko %stored
      %t = store_ptr_tko release device %flag, %one token=%fenced : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %start = make_token : token
      %seen = loop iter_values(%tk = %start) : token -> token {
        %f, %ft = load_ptr_tko acquire device %flag token=%tk : tile<ptr<i32>> -> tile<i32>, token
        %set = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
        if %set { break %ft : token }
        continue %ft : token
      }
      %fenced = memory_fence_alias_tko %seen
      %v, %loaded = load_ptr_tko weak %x token=%fenced : tile<ptr<i32>> -> tile<i32>, token
      %t = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
