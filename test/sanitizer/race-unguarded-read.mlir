// The consumer looks at the flag, but reads the data whether it is set or not, and only then decides
// whether to believe them. Where the producer comes first, nothing is wrong; the program is, all the
// same (memory model, 13, test 4).
// RUN: %pair --some-schedule --grid 2 --arg "f32[0]" --arg "i32[0]" --arg "zeros(1xi8),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%data: tile<ptr<f32>>, %flag: tile<ptr<i32>>, %is_good: tile<ptr<i8>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 4.0> : tile<f32>
    %is_producer = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_producer {
      // CHECK-DAG: read.mlir:[[#@LINE+1]]:{{.*}} {{error: .*: store_ptr_tko: race on .* with load_ptr_tko.* \[race\]|note: the earlier access: store_ptr_tko}}
      %stored = store_ptr_tko weak %data, %v : tile<ptr<f32>>, tile<f32> -> token
      %published = store_ptr_tko release device %flag, %one token=%stored : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %f, %t0 = load_ptr_tko acquire device %flag : tile<ptr<i32>> -> tile<i32>, token
      // CHECK-DAG: read.mlir:[[#@LINE+1]]:{{.*}} {{error: .*: load_ptr_tko: race on .* with store_ptr_tko.* \[race\]|note: the earlier access: load_ptr_tko}}
      %r, %t1 = load_ptr_tko weak %data token=%t0 : tile<ptr<f32>> -> tile<f32>, token
      %is_early = cmpi equal %f, %zero, signed : tile<i32> -> tile<i1>
      %is_four = cmpf equal ordered %r, %v : tile<f32> -> tile<i1>
      %good = ori %is_early, %is_four : tile<i1>
      %byte = exti %good unsigned : tile<i1> -> tile<i8>
      %t2 = store_ptr_tko weak %is_good, %byte : tile<ptr<i8>>, tile<i8> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [1]
  entry @fixed(%data: tile<ptr<f32>>, %flag: tile<ptr<i32>>, %is_good: tile<ptr<i8>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %true = constant <i1: true> : tile<i1>
    %v = constant <f32: 4.0> : tile<f32>
    %is_producer = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %is_producer {
      %stored = store_ptr_tko weak %data, %v : tile<ptr<f32>>, tile<f32> -> token
      %published = store_ptr_tko release device %flag, %one token=%stored : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %f, %t0 = load_ptr_tko acquire device %flag : tile<ptr<i32>> -> tile<i32>, token
      %is_early = cmpi equal %f, %zero, signed : tile<i32> -> tile<i1>
      %good = if %is_early -> (tile<i1>) {
        yield %true : tile<i1>
      } else {
        %r, %t1 = load_ptr_tko weak %data token=%t0 : tile<ptr<f32>> -> tile<f32>, token
        %is_four = cmpf equal ordered %r, %v : tile<f32> -> tile<i1>
        yield %is_four : tile<i1>
      }
      %byte = exti %good unsigned : tile<i1> -> tile<i8>
      %t2 = store_ptr_tko weak %is_good, %byte : tile<ptr<i8>>, tile<i8> -> token
    }
  }
}
