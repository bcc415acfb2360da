// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order are the parts of an operation stored? The reader and the writer loop over
// a Layout; it is derived from the operation's record by the rules of bytecode format, 9.

#ifndef TILEWRIGHT_BYTECODE_LAYOUT_H
#define TILEWRIGHT_BYTECODE_LAYOUT_H

#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/SmallVector.h"

namespace tilewright::bytecode {

/// An attribute or operand group, and the flag that says whether it is there.
struct Part {
  const tile::FieldRow *field;
  std::optional<unsigned> flagBit;
};

/// How the operands are stored (9.1, 5).
enum class OperandStyle : uint8_t {
  Plain,    ///< One after the other.
  Counted,  ///< Behind the total number of them.
  Segmented ///< Each group by itself: by its flag, or behind its own number.
};

struct Layout {
  const tile::OpRow *op;
  /// Is the number of results stored in front of their types?
  bool countsResults;
  /// Does a result stand for any number of them?
  bool variadicResults;
  OperandStyle operandStyle;
  /// Since when there is a flags varint; none if there never is.
  std::optional<tile::Version> flagsSince;
  llvm::SmallVector<const tile::FieldRow *, 3> results;
  llvm::SmallVector<Part, 4> attributes;
  llvm::SmallVector<Part, 5> operands;
  unsigned regions;

  bool hasFlags(tile::Version version) const { return flagsSince && version >= *flagsSince; }
  /// The flags that mean something in this version.
  uint64_t knownFlags(tile::Version version) const;
};

/// Of an operation that can stand in the body of an entry; null for any other opcode.
const Layout *layoutOf(uint64_t opcode);

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_LAYOUT_H
