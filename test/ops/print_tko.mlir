// RUN: %tilewright run %s --entry print_tko --grid 2 --device reference | FileCheck %s
// RUN: %tilewright run %s --entry print_tko --grid 2 --device cpu | FileCheck %s
//
// Every element is printed by C's own conversion, in brackets per dimension; values
// and layout from operations, 6.3.

cuda_tile.module @case {
  entry @print_tko() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %halves = constant <f16: [8.0, 9.0]> : tile<2xf16>
    // The blocks print one after the other.
    // CHECK: tile[0]:[8.00000, 9.00000]
    // CHECK: tile[1]:[8.00000, 9.00000]
    %t0 = print_tko "tile[%d]:%.5f\n", %x, %halves : tile<i32>, tile<2xf16> -> token
    return
  }

  // RUN: %tilewright run %s --entry conversions --grid 1 --device reference | FileCheck %s --check-prefix=CONVERT --strict-whitespace
  // RUN: %tilewright run %s --entry conversions --grid 1 --device cpu | FileCheck %s --check-prefix=CONVERT --strict-whitespace
  entry @conversions() {
    %index = iota : tile<2xi32>
    %f = itof %index signed : tile<2xi32> -> tile<2xf32>
    // CONVERT:<[    0.0000,     1.0000]>
    %t0 = print_tko "<%10.4f>\n", %f : tile<2xf32> -> token
    %column = constant <i32: [[6], [22]]> : tile<2x1xi32>
    // CONVERT-NEXT:{{^}}[{{\[}}6], [22]] 100%
    %t1 = print_tko "%i 100%%\n", %column : tile<2x1xi32> -> token
    // Narrow integers are widened, by their sign for d and i only; i1 is 0 or 1.
    %bytes = constant <i8: [-1, 65]> : tile<2xi8>
    // CONVERT-NEXT:[-1, 65] [255, 65] [ff, 41] [0377, 0101]
    %t2 = print_tko "%d %u %x %#o\n", %bytes, %bytes, %bytes, %bytes : tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8> -> token
    %c = constant <i8: 65> : tile<i8>
    %true = constant <i1: true> : tile<i1>
    // CONVERT-NEXT:A 1 1
    %t3 = print_tko "%c %d %u\n", %c, %true, %true : tile<i8>, tile<i1>, tile<i1> -> token
    %long = constant <i64: -2> : tile<i64>
    // CONVERT-NEXT:-2 18446744073709551614 fffffffffffffffe
    %t4 = print_tko "%lld %llu %lx\n", %long, %long, %long : tile<i64>, tile<i64>, tile<i64> -> token
    %special = constant <f32: [0x7FC00000, 0xFF800000]> : tile<2xf32>
    // CONVERT-NEXT:[nan, -inf] [NAN, -INF]
    %t5 = print_tko "%f %F\n", %special, %special : tile<2xf32>, tile<2xf32> -> token
    %double = constant <f64: -1.5> : tile<f64>
    // CONVERT-NEXT:-1.500000 -1.5 -0x1.8p+0 -1.50e+00|-1.5    |+3
    %three = constant <i32: 3> : tile<i32>
    %t6 = print_tko "%lf %g %a %.2e|%-8g|%+d\n", %double, %double, %double, %double, %double, %three : tile<f64>, tile<f64>, tile<f64>, tile<f64>, tile<f64>, tile<i32> -> token
    // 8-bit floats print their exact value; 0x01 is 2^-9.
    %small = constant <f8E4M3FN: [0x01, 448.0]> : tile<2xf8E4M3FN>
    // CONVERT-NEXT:[0.001953125, 448.000000000]
    %t7 = print_tko "%.9f\n", %small : tile<2xf8E4M3FN> -> token
    return
  }

  // What does not fit prints something, and is reported.
  // RUN: not %tilewright run --device reference %s --entry mismatch --grid 1 2>&1 | FileCheck %s --check-prefix=MISMATCH
  entry @mismatch() {
    %i = constant <i32: 3> : tile<i32>
    // MISMATCH-DAG: value 3.000000
    // MISMATCH-DAG: print_tko.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: block (0, 0, 0): print_tko: '%f' does not fit elements of type i32
    %t0 = print_tko "value %f\n", %i : tile<i32> -> token
    // MISMATCH-DAG: print_tko: '%n' cannot print an element
    %t1 = print_tko "%n\n", %i : tile<i32> -> token
    // MISMATCH-DAG: print_tko: '%*d' cannot print an element
    %t2 = print_tko "%*d\n", %i : tile<i32> -> token
    // MISMATCH-DAG: print_tko: '%99999999d' cannot print an element
    %t3 = print_tko "%99999999d\n", %i : tile<i32> -> token
    // S ends an expression as s does; d then is one of its own.
    // MISMATCH-DAG: {{^}}%S 3{{$}}
    // MISMATCH-DAG: print_tko: '%S' cannot print an element
    %t4 = print_tko "%S %d\n", %i, %i : tile<i32>, tile<i32> -> token
    return
  }

  // An element that nothing specifies is printed with a warning: a correct program may do that.
  // RUN: %tilewright run --device reference %s --entry undefined --grid 1 --arg "i32[1]" 2>&1 | FileCheck %s --check-prefix=UNDEFINED
  entry @undefined(%p: tile<ptr<i32>>) {
    %off = constant <i1: false> : tile<i1>
    %v, %t = load_ptr_tko weak %p, %off : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
    // UNDEFINED-DAG: {{^}}5 {{-?[0-9]+$}}
    // UNDEFINED-DAG: warning: block (0, 0, 0): print_tko: argument 1 is unspecified [unspecified]
    %five = constant <i32: 5> : tile<i32>
    %t1 = print_tko "%d %d\n", %five, %v token=%t : tile<i32>, tile<i32> -> token
    return
  }
}
