// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits products by `tcgen05.mma`, with accumulators in tensor memory (plan/TensorMemory.h). The
// multiplier issues the instructions; before and after the loop, it and the consumers hand over the
// columns by mbarriers. Accesses by different threads need `tcgen05.fence` in addition (PTX
// ISA, 9.7.16.6).

#ifndef TILEWRIGHT_NVIDIA_EMIT_TENSORPRODUCTS_H
#define TILEWRIGHT_NVIDIA_EMIT_TENSORPRODUCTS_H

#include "tilewright/nvidia/emit/Operands.h"
#include "tilewright/nvidia/emit/StagedScales.h"

namespace tilewright::nvidia {

class TensorProducts {
public:
  TensorProducts(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared,
                 Operands &operands, Rings &rings, Role role)
      : b(b), plan(plan), tiles(tiles), shared(shared), operands(operands),
        barriers(b, tiles, shared), scales(b, plan, tiles, shared, rings), role(role) {}

  /// One thread initialises all barriers.
  static void initialize(const Plan &plan, Mbarriers &barriers);
  /// The multiplier allocates columns; a barrier of the CTA must follow.
  static void allocate(ThreadBuilder &b, const Plan &plan, SharedMemory &shared,
                       mlir::Value thread);
  /// It frees them; a barrier of the CTA must precede.
  static void free(ThreadBuilder &b, const Plan &plan, SharedMemory &shared, mlir::Value thread);

  /// At the beginning of a role.
  void begin();
  /// Before a loop, which has an iteration if `runs`: consumers store the initial accumulators,
  /// unless they are zeros; the multiplier waits until columns may be written.
  void enter(tile::ForOp loop, mlir::Value runs);
  /// The multiplier adds a product to the accumulators.
  void multiply(tile::MatmulOpInterface product);
  /// Consumers hand over scales; unless the accumulators are held during the loop, they also hand
  /// over operands and accumulators for this product, and load the result.
  void emit(tile::MatmulOpInterface product);
  /// After a loop: the multiplier commits the products; consumers wait for them, and load the
  /// accumulators.
  void leave(tile::ForOp loop, mlir::Value runs);

  /// An instruction that moves accumulators between successive slots and columns.
  struct Move {
    int64_t slot, slots, column; ///< The column is relative to those of the warp.
  };

private:
  struct State {
    mlir::Value parity; ///< Of the next phase for which the role waits.
    mlir::Value adds;   ///< Whether the accumulators are defined: 0 or 1.
  };

  void forEach(tile::ForOp loop, mlir::Value runs,
               llvm::function_ref<void(mlir::Operation *, const TensorAccumulators &)> body);
  void waitFor(int64_t barrier, State &state);
  void makeReady(const TensorAccumulators &sums);
  void commit(const TensorAccumulators &sums);
  void receive(mlir::Operation *product, const TensorAccumulators &sums);
  mlir::Value descriptorOf(const Matrix &matrix);
  /// The addresses of scales in tensor memory, if there are any, and the bits of the instruction
  /// descriptor that select their bytes.
  struct Scales {
    mlir::Value lhs, rhs;
    int64_t numbers = 0;
  };
  Scales scalesAt(const MatrixProduct &product, const TensorAccumulators &sums, int64_t row,
                  int64_t column, int64_t step);
  void multiply(mlir::Value columns, mlir::Value lhs, mlir::Value rhs, mlir::Value descriptor,
                mlir::Value adds, llvm::StringRef kind, const Scales &scales);
  mlir::Value addressOf(const MatrixProduct &product, int64_t first);
  llvm::SmallVector<Move, 4> movesOf(const MatrixProduct &product);
  void forEachStatement(const MatrixProduct &product,
                        llvm::function_ref<void(llvm::ArrayRef<Move>)> body);
  void store(mlir::Operation *product, const TensorAccumulators &sums);
  void load(mlir::Operation *product, const TensorAccumulators &sums);
  mlir::Value wordOf(mlir::Value tile, int64_t number, int64_t elements);
  void storeLhs(tile::MatmulOpInterface product, const TensorAccumulators &sums);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  Operands &operands;
  Mbarriers barriers;
  StagedScales scales;
  const Role role;
  mlir::Value base; ///< The address of the allocation.
  llvm::DenseMap<mlir::Operation *, State> states;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_TENSORPRODUCTS_H
