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
/// For elementwise operations: has two operands and is commutative and associative, bit by bit.
template <typename Op>
class CombinesInAnyOrder : public mlir::OpTrait::TraitBase<Op, CombinesInAnyOrder> {};

/// For elementwise operations: a NaN in the result has the bits of an operand's NaN. All others
/// produce the canonical NaN (arithmetic, 3.3).
template <typename Op> class KeepsNanBits : public mlir::OpTrait::TraitBase<Op, KeepsNanBits> {};

/// For elementwise operations: the code per element is so long that it needs many registers.
template <typename Op> class IsLong : public mlir::OpTrait::TraitBase<Op, IsLong> {};

/// For terminators: leaves the surrounding `if` without giving its results.
template <typename Op> class LeavesIf : public mlir::OpTrait::TraitBase<Op, LeavesIf> {};

/// For terminators: ends the surrounding loop.
template <typename Op> class EndsLoop : public mlir::OpTrait::TraitBase<Op, EndsLoop> {};

/// For loops: the number of iterations is unbounded, so the code after it may never run.
template <typename Op> class MayNotEnd : public mlir::OpTrait::TraitBase<Op, MayNotEnd> {};

/// How a memory access treats each element that it addresses.
enum class MemoryAccessKind : uint8_t {
  Load,
  Store,
  Atomic, ///< An atomic read-modify-write.
};
} // namespace tilewright::tile

#include "tilewright/tile/OpInterfaces.h.inc"

// Included first, because terminators refer to the entry as a parent.
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
