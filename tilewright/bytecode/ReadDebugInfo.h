// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the debug section: a row per function lists the locations of the function and of its
// operations (bytecode format, 13).

#ifndef TILEWRIGHT_BYTECODE_READDEBUGINFO_H
#define TILEWRIGHT_BYTECODE_READDEBUGINFO_H

#include "tilewright/bytecode/Tables.h"

namespace tilewright::bytecode {

class DebugTable {
public:
  DebugTable(Input &input, const StringTable &strings);

  /// The locations of one function and its operations, in file order.
  class Row {
  public:
    /// The next location; reports an error and returns an unknown one if there is none left.
    mlir::Location next();

  private:
    friend class DebugTable;
    Row(DebugTable &table, size_t begin, size_t end, bool stored)
        : table(table), position(begin), end(end), stored(stored) {}

    DebugTable &table;
    size_t position, end;
    bool stored; ///< If false, all locations are unknown.
  };

  /// Reads the number of a row: its index plus one, or 0 for none.
  Row readRow(Cursor &cursor);

private:
  friend class DebugDecoder;
  mlir::Location locationOf(size_t reference);
  /// The attribute with this id (never 0); null after an error, which is reported.
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
