// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry, prepared for execution. Every value has a register, every operation the function that
// executes it, and every constant its tile, so that a running block looks up nothing by name.
// Unsupported operations are found here, before anything has run.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_PROGRAM_H
#define TILEWRIGHT_REFERENCE_MACHINE_PROGRAM_H

#include "tilewright/reference/machine/Tile.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/support/Result.h"
#include "tilewright/tile/Ops.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::reference {

struct Instruction {
  mlir::Operation *op;
  Execute execute;
};

using Body = std::vector<Instruction>;

class Program {
public:
  static support::Result<Program> of(tile::EntryOp entry);

  tile::EntryOp entry() const { return entryOp; }
  const Body &body(mlir::Block *block) const { return bodies.find(block)->second; }
  unsigned registerOf(mlir::Value value) const { return registers.find(value)->second; }
  size_t registerCount() const { return registers.size(); }
  const Tile &constant(mlir::Operation *op) const { return constants.find(op)->second; }

private:
  explicit Program(tile::EntryOp entry) : entryOp(entry) {}
  support::Result<void> add(mlir::Block &block);

  tile::EntryOp entryOp;
  llvm::DenseMap<mlir::Block *, Body> bodies;
  llvm::DenseMap<mlir::Value, unsigned> registers;
  llvm::DenseMap<mlir::Operation *, Tile> constants;
};

/// The elements of `constant` and `global`.
Tile tileOf(mlir::ElementsAttr value);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_PROGRAM_H
