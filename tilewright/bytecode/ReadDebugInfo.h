// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in the source language does an operation come from? A row of the debug section per
// function lists the location of the function and of its operations (bytecode format, 13).

#ifndef TILEWRIGHT_BYTECODE_READDEBUGINFO_H
#define TILEWRIGHT_BYTECODE_READDEBUGINFO_H

#include "tilewright/bytecode/Tables.h"

namespace tilewright::bytecode {

class DebugTable {
public:
  DebugTable(Input &input, const StringTable &strings);

  /// The locations of one function and its operations, in the order of the file.
  class Row {
  public:
    /// The next one; reported, and unknown, when there is none left.
    mlir::Location next();

  private:
    friend class DebugTable;
    Row(DebugTable &table, size_t begin, size_t end, bool stored)
        : table(table), position(begin), end(end), stored(stored) {}

    DebugTable &table;
    size_t position, end;
    bool stored; ///< If not, all locations are unknown.
  };

  /// Reads the number of a row: 0, or one more than its index.
  Row readRow(Cursor &cursor);

private:
  friend class DebugDecoder;
  mlir::Location locationOf(size_t reference);
  /// The attribute with this id (never 0); null, and reported, if something is wrong.
  mlir::Attribute attribute(uint64_t id, Cursor &cursor, const char *what);

  Input &input;
  const StringTable &strings;
  std::vector<uint32_t> rowStarts;
  std::vector<uint32_t> sortedStarts;
  std::vector<uint64_t> references;
  uint64_t referencesOffset = 0; ///< In the file.
  EntryTable<uint32_t> entries;
  std::vector<mlir::Attribute> attributes; ///< Null while not decoded.
  llvm::DenseSet<size_t> pending;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_READDEBUGINFO_H
