// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from Tile IR to Tile IR that the compilers share.

#ifndef TILEWRIGHT_LOWER_PASSES_TD
#define TILEWRIGHT_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def EvaluateConstants : Pass<"evaluate-constants"> {
  let summary = "Compute what is known before the kernel runs";
  let description = [{
    Replaces operations on constants by their results, removes operations that change
    nothing, joins rearrangements of rearrangements, and replaces an `if` with a constant
    condition by its branch. Erases operations without users and effects.

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
    operands, unless its result is undefined for one of the elements (it stays, so that
    it is reported where it happens), cannot be written as a constant (pointers, i4), or
    is larger than the options allow. Aggregates, matrix products and assumptions stay,
    and so does `iota`, which is smaller than its elements. Other integers that grow
    evenly along one dimension become arithmetic on an `iota`.

    Results are bit-identical to the reference machine's, including NaNs. An identity
    such as `x * 1.0 = x` is therefore applied only if all NaNs of `x` are known to be
    canonical (docs/decisions/bit-exact-identities.md).
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

    Afterwards an assert precedes each `div_by` and `bounded` of a scalar integer, unless the
    integer is only used as the stride of dimensions whose extent is 1 or is defined later.
    The assert of a stride also holds if the extent is at most 1. Assumptions about pointers
    and tiles are not checked: the machine detects invalid addresses itself.
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

    The product must have no other user, and both operations must have the same rounding
    mode and `flush_to_zero`. `c + a * b` is fused too, `c - a * b` is not. Afterwards no
    `addf` has an operand that could be fused. Results change: the product is no longer
    rounded (arithmetic, 6).
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

    Moves weak loads through views, and cheap computations on their results. None of their
    operands, including the tokens, may come from the loop, and they may load at most a
    quarter as many elements as are stored. Either all that an epilogue reads is moved, or
    nothing. Loads without token dependences are unordered (memory model, 4), so results stay
    the same.
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

    Afterwards reductions in one block along the same dimension with the same first operand
    follow each other, unless another operand is defined between them, or there is a loop or a
    branch between them.
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
    Entries with a subprogram keep it (types, 10.2). The compile unit's file is that of the
    module's location, or `<unknown>`.
  }];
}

#endif // TILEWRIGHT_LOWER_PASSES_TD
