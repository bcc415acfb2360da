// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes from Tile IR to Tile IR that compilers share.

#ifndef TILEWRIGHT_LOWER_PASSES_TD
#define TILEWRIGHT_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def EvaluateConstants : Pass<"evaluate-constants"> {
  let summary = "Compute what is known before the kernel runs";
  let description = [{
    Replaces operations on constants by their results, drops operations that change
    nothing, joins rearrangements of rearrangements, and enters the one branch that a
    constant condition leaves. Operations without users and effects go.

    ```mlir
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %two = constant <i32: 2> : tile<4xi32>
    %b = muli %a, %two : tile<4xi32>
    %c = reshape %b : tile<4xi32> -> tile<2x2xi32>
    %zero = constant <i32: 0> : tile<2x2xi32>
    %d = addi %x, %zero : tile<2x2xi32>
    %e = addi %d, %c : tile<2x2xi32>
    ```
    becomes
    ```mlir
    %c = constant <i32: [[2, 4], [6, 8]]> : tile<2x2xi32>
    %e = addi %x, %c : tile<2x2xi32>
    ```

    Afterwards no elementwise operation and no rearrangement has only constants as
    operands, unless its outcome is undefined for one of the elements (it stays, so that
    it is reported where it happens), cannot be written as a constant (pointers, i4), or
    is larger than the options allow. Aggregates, matrix products and assumptions stay,
    and so does `iota`: it is smaller than its elements. Other integers that grow evenly
    along one dimension become arithmetic on an `iota`.

    Every bit is the one that the reference machine computes, those of NaNs included.
    An identity such as `x * 1.0 = x` is therefore applied only where each NaN of `x`
    is known to be the canonical one (docs/decisions/bit-exact-identities.md).
  }];
  let options = [
    Option<"maxTileElements", "max-tile-elements", "int64_t", "65536",
           "Largest tile with different elements that is evaluated; 1 leaves splats only">,
    Option<"maxTotalElements", "max-total-elements", "int64_t", "16777216",
           "Bound on all elements that one run evaluates">,
  ];
}

def CheckAssumptions : Pass<"check-assumptions"> {
  let summary = "Assert what the kernel assumes of integers";
  let description = [{
    ```mlir
    %n16 = assume div_by<16>, %n : tile<i32>
    ```
    becomes
    ```mlir
    %mask = constant <i32: 15> : tile<i32>
    %rest = andi %n, %mask : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %holds = cmpi equal %rest, %zero, unsigned : tile<i32> -> tile<i1>
    assert %holds, "assume div_by<16> does not hold" : tile<i1>
    %n16 = assume div_by<16>, %n : tile<i32>
    ```

    Afterwards an assert stands in front of each `div_by` and `bounded` of a scalar integer,
    unless it is nothing but the stride of a dimension whose extent is 1 or follows later.
    Of a stride, it holds as well where the extent is at most 1. Pointers and tiles keep
    their assumptions unchecked: a machine sees what is wrong with an address.
  }];
}

def FuseFma : Pass<"fuse-fma"> {
  let summary = "Fuse a product and a sum into fma, which rounds once";
  let description = [{
    ```mlir
    %p = mulf %a, %b : tile<8xf32>
    %s = addf %p, %c : tile<8xf32>
    %q = mulf %a, %b : tile<8xf32>
    %d = subf %q, %c : tile<8xf32>
    ```
    becomes
    ```mlir
    %s = fma %a, %b, %c : tile<8xf32>
    %n = negf %c : tile<8xf32>
    %d = fma %a, %b, %n : tile<8xf32>
    ```

    The product must have no other user, and both operations the same rounding mode and
    `flush_to_zero`. `c + a * b` fuses too, `c - a * b` does not. Afterwards no `addf` has
    an operand that could be fused. Results change: the product is no longer rounded
    (arithmetic, 6).
  }];
}

def HoistEpilogueLoads : Pass<"hoist-epilogue-loads"> {
  let summary = "Load what a product's epilogue reads before the loop of the product";
  let description = [{
    ```mlir
    %sums = for ... { ... mmaf ... }
    %bias, %t = load_view_tko weak %view[%j] : ... -> tile<1x64xf32>, token
    %wide = broadcast %bias : tile<1x64xf32> -> tile<64x64xf32>
    %all = addf %sums, %wide : tile<64x64xf32>
    store_view_tko weak %all, ...
    ```
    becomes
    ```mlir
    %bias, %t = load_view_tko weak %view[%j] : ... -> tile<1x64xf32>, token
    %wide = broadcast %bias : tile<1x64xf32> -> tile<64x64xf32>
    %sums = for ... { ... mmaf ... }
    %all = addf %sums, %wide : tile<64x64xf32>
    store_view_tko weak %all, ...
    ```

    Moves weak loads through views, with what their results are computed to, where none of
    their operands, the token included, comes from the loop, they load at most a quarter as
    many elements as are stored, and little is computed from these. Of an epilogue all that
    follows the loop is moved, or nothing. Loads that no token orders have no order (memory
    model, 4), so results stay the same.
  }];
}

def HoistReductions : Pass<"hoist-reductions"> {
  let summary = "Reduce a tile where an earlier reduction reads it";
  let description = [{
    ```mlir
    %most, %where = reduce %row, %columns dim=1 ...
    %t = store_view_tko weak %where, ...
    %max = reduce %row dim=1 ...
    ```
    becomes
    ```mlir
    %most, %where = reduce %row, %columns dim=1 ...
    %max = reduce %row dim=1 ...
    %t = store_view_tko weak %where, ...
    ```

    Afterwards reductions along the same dimension with the same first operand, in one
    block, follow each other, unless another operand is not there yet, or there is a loop or
    a branch between them.
  }];
}

def SynthesizeDebugInfoScopes : Pass<"synthesize-debug-info-scopes"> {
  let summary = "Give entries without debug information a subprogram";
  let description = [{
    ```mlir
    entry @k() {
      return loc("k.py":4:2)
    } loc("k.py":3:0)
    ```
    becomes
    ```mlir
    #f = #cuda_tile.di_file<"k.py" in "">
    #cu = #cuda_tile.di_compile_unit<file = #f>
    #sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k",
                                   compileUnit = #cu, scopeLine = 3>
    entry @k() {
      return loc(#cuda_tile.di_loc<loc("k.py":4:2) in #sp>)
    } loc(#cuda_tile.di_loc<loc("k.py":3:0) in #sp>)
    ```

    Afterwards every entry, and every operation in it, has a position in a subprogram.
    Entries that had one keep it (types, 10.2). The file of a module is that of its
    location, or `<unknown>`.
  }];
}

#endif // TILEWRIGHT_LOWER_PASSES_TD
