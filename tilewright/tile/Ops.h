// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All operations of the dialect.

#ifndef TILEWRIGHT_TILE_OPS_H
#define TILEWRIGHT_TILE_OPS_H

#include "tilewright/numerics/Element.h"
#include "tilewright/tile/types/Types.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::tile {
/// Of an elementwise operation with two operands that is commutative and associative, bit by bit.
template <typename Op>
class CombinesInAnyOrder : public mlir::OpTrait::TraitBase<Op, CombinesInAnyOrder> {};

/// Of an elementwise operation: a NaN in its result has the bits of an operand's NaN. Any other
/// makes the canonical NaN (arithmetic, 3.3).
template <typename Op> class KeepsNanBits : public mlir::OpTrait::TraitBase<Op, KeepsNanBits> {};

/// Of an elementwise operation: code for an element is so long that it needs many registers.
template <typename Op> class IsLong : public mlir::OpTrait::TraitBase<Op, IsLong> {};

/// Of a terminator: it leaves the `if` around it without its results.
template <typename Op> class LeavesIf : public mlir::OpTrait::TraitBase<Op, LeavesIf> {};

/// Of a terminator: the loop around it has no further iteration.
template <typename Op> class EndsLoop : public mlir::OpTrait::TraitBase<Op, EndsLoop> {};

/// Of a loop: nothing bounds how often its body runs, so what follows it may never run.
template <typename Op> class MayNotEnd : public mlir::OpTrait::TraitBase<Op, MayNotEnd> {};

/// What a memory access does to each element that it addresses.
enum class MemoryAccessKind : uint8_t {
  Load,
  Store,
  Atomic, ///< Reads and writes as one.
};
} // namespace tilewright::tile

#include "tilewright/tile/OpInterfaces.h.inc"

// Terminators name the entry among their parents.
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Module.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/ControlFlow.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Conversion.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Core.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Float.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Integer.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Matrix.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Memory.h.inc"
#define GET_OP_CLASSES
#include "tilewright/tile/ops/Views.h.inc"

#endif // TILEWRIGHT_TILE_OPS_H
