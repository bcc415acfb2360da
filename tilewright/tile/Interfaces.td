// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other rooms ask an operation.

#ifndef TILEWRIGHT_TILE_INTERFACES_TD
#define TILEWRIGHT_TILE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_ElementwiseInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    An operation whose result element depends on the operand elements at the same
    coordinate only. `evalElement` is its one definition: the reference machine
    executes it and constant evaluation folds with it.
  }];
  let methods = [
    InterfaceMethod<[{
      The result element for one element of each operand. A poison operand gives
      poison (`select` chooses first); so does what the specification calls undefined.
    }], "::tilewright::numerics::Element", "evalElement",
      (ins "::llvm::ArrayRef<::tilewright::numerics::Element>":$in)>,
    InterfaceMethod<[{
      What it takes to compute an element again, in additions of integers. Compilers weigh it
      against storing the element; operands are not counted.
    }], "unsigned", "getCost">,
    InterfaceMethod<[{
      An operand element that decides the result element whatever the other operand is, as
      0 does in a product. Only the operations by which kernels mask elements have one here;
      others, such as `mini`, answer none even though the least integer would be one.
    }], "::std::optional<::tilewright::numerics::Element>", "getAbsorbing", (ins), [{}],
      [{ return ::std::nullopt; }]>,
  ];
}

def Tile_OverflowInterface : OpInterface<"OverflowOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    Integer arithmetic that may assume that it does not overflow (arithmetic, 2.3). The result is
    undefined where it does.
  }];
  let methods = [
    InterfaceMethod<"What it assumes.", "::tilewright::tile::IntegerOverflow", "getOverflow">,
  ];
}

def Tile_RearrangementInterface : OpInterface<"RearrangementOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    An operation each of whose result elements is an element of its one source tile, the same
    one whatever the elements are. Elements are numbered in row-major order. Result element
    (i0, i1, ...) is source element number

        i0 * step[0] + i1 * step[1] + ... + selector[0] * selectorStep[0] + ...

    where selectors are operands (of `extract`, unsigned).
  }];
  let methods = [
    InterfaceMethod<"The tile whose elements it moves.",
      "::mlir::Value", "getMoved", (ins), [{}], [{ return $_op.getSource(); }]>,
    InterfaceMethod<"One step per dimension of the result; 0 where elements are repeated.",
      "::llvm::SmallVector<int64_t>", "getElementSteps">,
    InterfaceMethod<"The scalars that choose a part of the source.",
      "::mlir::ValueRange", "getSelectors", (ins), [{}], [{ return ::mlir::ValueRange(); }]>,
    InterfaceMethod<"One step per selector.",
      "::llvm::SmallVector<int64_t>", "getSelectorSteps", (ins), [{}], [{ return {}; }]>,
  ];
  let extraSharedClassDeclaration = [{
    /// Whether one element of the source may be several of the result.
    bool repeatsElements() { return ::llvm::is_contained($_op.getElementSteps(), 0); }
  }];
}

def Tile_MemoryAccessInterface : OpInterface<"MemoryAccessOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    An operation that reads or writes memory of the kernel, through pointers or through a
    view (operations, 7 to 9). Allocations, globals and prints are none.
  }];
  let methods = [
    InterfaceMethod<"What it does to each element.",
      "::tilewright::tile::MemoryAccessKind", "getAccessKind">,
    InterfaceMethod<"The pointers or the view through which it reaches memory.",
      "::mlir::Value", "getAddressed">,
    InterfaceMethod<"The tile of what it has read; null if it returns none.",
      "::mlir::Value", "getLoaded">,
    InterfaceMethod<"The tile that it stores, combines or swaps in; null if it only reads.",
      "::mlir::Value", "getStored">,
    InterfaceMethod<"How other accesses see it (memory model, 3).",
      "::tilewright::tile::MemoryOrderingSemantics", "getOrdering", (ins), [{}],
      [{ return $_op.getMemoryOrderingSemantics(); }]>,
    InterfaceMethod<"Who sees it in that order; none for a weak access.",
      "::std::optional<::tilewright::tile::MemoryScope>", "getScope", (ins), [{}],
      [{ return $_op.getMemoryScope(); }]>,
    InterfaceMethod<"What it comes after; null if nothing orders it.",
      "::mlir::Value", "getTokenBefore", (ins), [{}], [{ return $_op.getToken(); }]>,
    InterfaceMethod<"What comes after it.",
      "::mlir::Value", "getTokenAfter", (ins), [{}], [{ return $_op.getResultToken(); }]>,
  ];
  let extraSharedClassDeclaration = [{
    bool isLoad() { return $_op.getAccessKind() == MemoryAccessKind::Load; }
    bool isStore() { return $_op.getAccessKind() == MemoryAccessKind::Store; }
    bool isAtomic() { return $_op.getAccessKind() == MemoryAccessKind::Atomic; }
    bool isWeak() { return $_op.getOrdering() == MemoryOrderingSemantics::Weak; }
    bool isThroughView() {
      return ::llvm::isa<::tilewright::tile::TileView>($_op.getAddressed().getType());
    }
  }];
}

def Tile_MatmulInterface : OpInterface<"MatmulOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    A matrix product that is added to an accumulator (arithmetic, 4.30 to 4.32). Element (i, j) of
    the result is an accumulation chain over k, which begins with that element of the accumulator.
  }];
  let methods = [
    InterfaceMethod<"m x k, maybe with batches before.", "::mlir::Value", "getLhs">,
    InterfaceMethod<"k x n", "::mlir::Value", "getRhs">,
    InterfaceMethod<"m x n", "::mlir::Value", "getAcc">,
  ];
}

#endif // TILEWRIGHT_TILE_INTERFACES_TD
