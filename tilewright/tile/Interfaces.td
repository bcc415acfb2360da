// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces through which other rooms query operations.

#ifndef TILEWRIGHT_TILE_INTERFACES_TD
#define TILEWRIGHT_TILE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_ElementwiseInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    An operation whose result elements each depend only on the operand elements at the
    same coordinate. `evalElement` is its only definition: the reference machine and
    constant evaluation both call it.
  }];
  let methods = [
    InterfaceMethod<[{
      The result element for one element of each operand. Poison operands give poison
      (`select` chooses first), and so do results that the specification leaves undefined.
    }], "::tilewright::numerics::Element", "evalElement",
      (ins "::llvm::ArrayRef<::tilewright::numerics::Element>":$in)>,
    InterfaceMethod<[{
      The cost of rematerializing an element, in integer additions, without its operands.
      Compilers compare it with the cost of keeping the element.
    }], "unsigned", "getCost">,
    InterfaceMethod<[{
      The absorbing element: as one operand, it determines the result whatever the other
      operand is, like 0 in a product. Only operations with which kernels mask elements define
      it; others, such as `mini`, return none although the smallest integer would be one.
    }], "::std::optional<::tilewright::numerics::Element>", "getAbsorbing", (ins), [{}],
      [{ return ::std::nullopt; }]>,
  ];
}

def Tile_OverflowInterface : OpInterface<"OverflowOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    Integer arithmetic that may carry the assumption that it does not overflow (arithmetic, 2.3).
    If it does overflow, the result is undefined.
  }];
  let methods = [
    InterfaceMethod<"The assumption.", "::tilewright::tile::IntegerOverflow", "getOverflow">,
  ];
}

def Tile_RearrangementInterface : OpInterface<"RearrangementOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    An operation that copies elements of its one source tile. Which element goes where does not
    depend on the elements' values. Elements are numbered in row-major order. Result element
    (i0, i1, ...) is source element number

        i0 * step[0] + i1 * step[1] + ... + selector[0] * selectorStep[0] + ...

    where selectors are operands (the unsigned indices of `extract`).
  }];
  let methods = [
    InterfaceMethod<"The source tile.",
      "::mlir::Value", "getMoved", (ins), [{}], [{ return $_op.getSource(); }]>,
    InterfaceMethod<"One step per dimension of the result; 0 where elements are repeated.",
      "::llvm::SmallVector<int64_t>", "getElementSteps">,
    InterfaceMethod<"The scalars that select a part of the source.",
      "::mlir::ValueRange", "getSelectors", (ins), [{}], [{ return ::mlir::ValueRange(); }]>,
    InterfaceMethod<"One step per selector.",
      "::llvm::SmallVector<int64_t>", "getSelectorSteps", (ins), [{}], [{ return {}; }]>,
  ];
  let extraSharedClassDeclaration = [{
    /// Whether an element of the source may occur several times in the result.
    bool repeatsElements() { return ::llvm::is_contained($_op.getElementSteps(), 0); }
  }];
}

def Tile_MemoryAccessInterface : OpInterface<"MemoryAccessOpInterface"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    An operation that reads or writes the kernel's memory, through pointers or through a view
    (operations, 7 to 9). Allocations, globals and prints do not count.
  }];
  let methods = [
    InterfaceMethod<"Whether it loads, stores or atomically updates each element.",
      "::tilewright::tile::MemoryAccessKind", "getAccessKind">,
    InterfaceMethod<"The pointers or the view through which it accesses memory.",
      "::mlir::Value", "getAddressed">,
    InterfaceMethod<"The loaded tile; null if it returns none.",
      "::mlir::Value", "getLoaded">,
    InterfaceMethod<"The tile that it stores, combines or exchanges; null if it only reads.",
      "::mlir::Value", "getStored">,
    InterfaceMethod<"The memory ordering (memory model, 3).",
      "::tilewright::tile::MemoryOrderingSemantics", "getOrdering", (ins), [{}],
      [{ return $_op.getMemoryOrderingSemantics(); }]>,
    InterfaceMethod<"The scope of the ordering; none for a weak access.",
      "::std::optional<::tilewright::tile::MemoryScope>", "getScope", (ins), [{}],
      [{ return $_op.getMemoryScope(); }]>,
    InterfaceMethod<"The token that orders it after other operations; null if there is none.",
      "::mlir::Value", "getTokenBefore", (ins), [{}], [{ return $_op.getToken(); }]>,
    InterfaceMethod<"The token that orders other operations after it.",
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
    InterfaceMethod<"m x k, possibly with a batch dimension in front.", "::mlir::Value", "getLhs">,
    InterfaceMethod<"k x n", "::mlir::Value", "getRhs">,
    InterfaceMethod<"m x n", "::mlir::Value", "getAcc">,
  ];
}

#endif // TILEWRIGHT_TILE_INTERFACES_TD
