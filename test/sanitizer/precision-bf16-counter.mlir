// A counter in bf16 stops at 256: the next bf16 is 258, and 257 is rounded to 256.
// RUN: %pair --status=0 --grid 1 --check all,origin,precision --arg "zeros(1xf32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  // CHECK: counter.mlir:[[#@LINE+10]]:{{.*}} warning: block (0, 0, 0): addf: of 256 and 1 the result is 256, and 274 in f64 [precision]
  // CHECK: counter.mlir:[[#@LINE+13]]:{{.*}} note: parameter 1 (1xf32)[0] is imprecise: 256, and 300 in f64
  entry @bug(%out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %count = constant <i32: 300> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %zero = constant <bf16: 0.0> : tile<bf16>
    %one = constant <bf16: 1.0> : tile<bf16>
    %sum = for %i in (%first to %count, step %step) : tile<i32> iter_values(%so_far = %zero) -> (tile<bf16>) {
      // More than half of the 8 digits of bf16 are lost at 274: 18 is more than a 16th of it.
      %more = addf %so_far, %one : tile<bf16>
      continue %more : tile<bf16>
    }
    %wide = ftof %sum : tile<bf16> -> tile<f32>
    %t = store_ptr_tko weak %out, %wide : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK: fixed:
  // CHECK: [300]
  entry @fixed(%out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %count = constant <i32: 300> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %sum = for %i in (%first to %count, step %step) : tile<i32> iter_values(%so_far = %zero) -> (tile<f32>) {
      %more = addf %so_far, %one : tile<f32>
      continue %more : tile<f32>
    }
    %t = store_ptr_tko weak %out, %sum : tile<ptr<f32>>, tile<f32> -> token
  }
}
