// RUN: %check %s
// Aggregates whose bodies run over rows (Aggregates.cpp): what is particular to that.
//
// More positions than one go computes: element [o, j, r] of a 2x2048x2 iota is
// 4096 o + 2 j + r, so the sums along j are 2048 (4096 o + r) + 2048 * 2047.
// CASE @large() -> i32[4192256, 4194304, 12580864, 12582912]
//
// A scan along the middle of a 2x4x2 iota, [[[0, 1], [2, 3], ...], [[8, 9], ...]], from behind.
// CASE @middle() -> i32[12, 16, 12, 15, 10, 12, 6, 7, 44, 48, 36, 39, 26, 28, 14, 15]
//
// A value from outside the body: three combinations add it three times.
// CASE @captured(i32[1, 2, 3, 4], i32[100]) -> i32[310]
//
// Words of one byte, and yielded values that are an argument and a constant.
// CASE @bytes(i8[1, 2, 3, 4]) -> i8[4, 7]
//
// 100 + 100 violates the assumption; nobody asks what it is, and the other row is 3.
// CASE @broken(i8[100, 100, 1, 2]) -> i8[3]
//
// The third element is not loaded, so that the second row has no sum; the first has.
// CASE @unspecified(i32[1, 2, 3, 4]) -> i32[3]

cuda_tile.module @case {
  entry @large(%r_ptr: tile<ptr<i32>>) {
    %flat = iota : tile<8192xi32>
    %a = reshape %flat : tile<8192xi32> -> tile<2x2048x2xi32>
    %s = reduce %a dim=1 identities=[0 : i32] : tile<2x2048x2xi32> -> tile<2x2xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      yield %sum : tile<i32>
    }
    %r = reshape %s : tile<2x2xi32> -> tile<4xi32>
    %r_one = reshape %r_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %r_all = broadcast %r_one : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %index = iota : tile<4xi32>
    %r_at = offset %r_all, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %token = store_ptr_tko weak %r_at, %r : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  entry @middle(%r_ptr: tile<ptr<i32>>) {
    %flat = iota : tile<16xi32>
    %a = reshape %flat : tile<16xi32> -> tile<2x4x2xi32>
    %s = scan %a dim=1 reverse=true identities=[0 : i32] : tile<2x4x2xi32> -> tile<2x4x2xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      yield %sum : tile<i32>
    }
    %r = reshape %s : tile<2x4x2xi32> -> tile<16xi32>
    %r_one = reshape %r_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %r_all = broadcast %r_one : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %r_at = offset %r_all, %flat : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %token = store_ptr_tko weak %r_at, %r : tile<16xptr<i32>>, tile<16xi32> -> token
  }

  entry @captured(%a_ptr: tile<ptr<i32>>, %c_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %a_one = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %a_all = broadcast %a_one : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %index = iota : tile<4xi32>
    %a_at = offset %a_all, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %a, %t0 = load_ptr_tko weak %a_at : tile<4xptr<i32>> -> tile<4xi32>, token
    %c, %t1 = load_ptr_tko weak %c_ptr : tile<ptr<i32>> -> tile<i32>, token
    %r = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      %more = addi %sum, %c : tile<i32>
      yield %more : tile<i32>
    }
    %token = store_ptr_tko weak %r_ptr, %r : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @bytes(%a_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i8>>) {
    %a_one = reshape %a_ptr : tile<ptr<i8>> -> tile<1xptr<i8>>
    %a_all = broadcast %a_one : tile<1xptr<i8>> -> tile<4xptr<i8>>
    %index = iota : tile<4xi32>
    %a_at = offset %a_all, %index : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
    %a, %t0 = load_ptr_tko weak %a_at : tile<4xptr<i8>> -> tile<4xi8>, token
    %last, %seven = reduce %a, %a dim=0 identities=[0 : i8, 0 : i8] : tile<4xi8>, tile<4xi8> -> tile<i8>, tile<i8>
    (%x: tile<i8>, %acc: tile<i8>, %y: tile<i8>, %other: tile<i8>) {
      %constant = constant <i8: 7> : tile<i8>
      yield %x, %constant : tile<i8>, tile<i8>
    }
    %one = constant <i32: 1> : tile<i32>
    %r_next = offset %r_ptr, %one : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %t1 = store_ptr_tko weak %r_ptr, %last : tile<ptr<i8>>, tile<i8> -> token
    %t2 = store_ptr_tko weak %r_next, %seven : tile<ptr<i8>>, tile<i8> -> token
  }

  entry @broken(%a_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<i8>>) {
    %a_one = reshape %a_ptr : tile<ptr<i8>> -> tile<1xptr<i8>>
    %a_all = broadcast %a_one : tile<1xptr<i8>> -> tile<4xptr<i8>>
    %index = iota : tile<4xi32>
    %a_at = offset %a_all, %index : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
    %flat, %t0 = load_ptr_tko weak %a_at : tile<4xptr<i8>> -> tile<4xi8>, token
    %a = reshape %flat : tile<4xi8> -> tile<2x2xi8>
    %sums = reduce %a dim=1 identities=[0 : i8] : tile<2x2xi8> -> tile<2xi8>
    (%x: tile<i8>, %acc: tile<i8>) {
      %sum = addi %x, %acc overflow<no_signed_wrap> : tile<i8>
      yield %sum : tile<i8>
    }
    %one = constant <i32: 1> : tile<i32>
    %second = extract %sums[%one] : tile<2xi8> -> tile<1xi8>
    %r = reshape %second : tile<1xi8> -> tile<i8>
    %token = store_ptr_tko weak %r_ptr, %r : tile<ptr<i8>>, tile<i8> -> token
  }

  entry @unspecified(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %a_one = reshape %a_ptr : tile<ptr<i32>> -> tile<1xptr<i32>>
    %a_all = broadcast %a_one : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %index = iota : tile<4xi32>
    %a_at = offset %a_all, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %mask = constant <i1: [true, true, false, true]> : tile<4xi1>
    %flat, %t0 = load_ptr_tko weak %a_at, %mask : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %a = reshape %flat : tile<4xi32> -> tile<2x2xi32>
    %sums = reduce %a dim=1 identities=[0 : i32] : tile<2x2xi32> -> tile<2xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      yield %sum : tile<i32>
    }
    %zero = constant <i32: 0> : tile<i32>
    %first = extract %sums[%zero] : tile<2xi32> -> tile<1xi32>
    %r = reshape %first : tile<1xi32> -> tile<i32>
    %token = store_ptr_tko weak %r_ptr, %r : tile<ptr<i32>>, tile<i32> -> token
  }
}
