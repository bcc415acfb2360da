// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which the parts of an operation are stored. The reader and the writer loop over a
// Layout, which is derived from the operation's record by the rules of bytecode format, 9.

#ifndef TILEWRIGHT_BYTECODE_LAYOUT_H
#define TILEWRIGHT_BYTECODE_LAYOUT_H

#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/SmallVector.h"

namespace tilewright::bytecode {

/// An attribute or operand group, and the flag that tells whether it is present.
struct Part {
  const tile::FieldRow *field;
  std::optional<unsigned> flagBit;
};

/// How the operands are stored (9.1, 5).
enum class OperandStyle : uint8_t {
  Plain,    ///< One after the other.
  Counted,  ///< Behind their total number.
  Segmented ///< Each group separately: with a flag, or behind its own count.
};

struct Layout {
  const tile::OpRow *op;
  /// Whether the number of results is stored in front of their types.
  bool countsResults;
  /// Whether a result is variadic.
  bool variadicResults;
  OperandStyle operandStyle;
  /// Since this version, there is a flags varint; none if there never is.
  std::optional<tile::Version> flagsSince;
  llvm::SmallVector<const tile::FieldRow *, 3> results;
  llvm::SmallVector<Part, 4> attributes;
  llvm::SmallVector<Part, 5> operands;
  unsigned regions;

  bool hasFlags(tile::Version version) const { return flagsSince && version >= *flagsSince; }
  /// The flags that are defined in this version.
  uint64_t knownFlags(tile::Version version) const;
};

/// The layout for an opcode; null unless it is an operation that can be in the body of an entry.
const Layout *layoutOf(uint64_t opcode);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_LAYOUT_H
