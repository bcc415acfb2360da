// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the debug section (bytecode format, 13). Attributes are numbered when a location first
// leads to them, parts before the whole.

#ifndef TILEWRIGHT_BYTECODE_WRITEDEBUGINFO_H
#define TILEWRIGHT_BYTECODE_WRITEDEBUGINFO_H

#include "tilewright/bytecode/WriteTables.h"

#include "llvm/ADT/MapVector.h"

namespace tilewright::bytecode {

class DebugPool {
public:
  explicit DebugPool(tile::Version version) : version(version) {}

  /// Fails with a diagnostic on `op` if its location is of a kind that cannot be stored, even if
  /// the entry has no row (types, 10.2).
  llvm::LogicalResult checkLocation(mlir::Operation *op) const;
  /// Numbers a storable location. Call it for an entry before starting its row.
  void addLocation(mlir::Operation *op) { number(op->getLoc()); }

  /// Whether this entry has debug information. If not, its operations lose theirs, too.
  static bool hasRow(tile::EntryOp entry) { return isa<tile::DILocAttr>(entry.getLoc()); }
  /// Starts the next row with the location of its entry. Returns its number, starting from 1.
  uint32_t startRow(tile::EntryOp entry);
  /// Adds an operation to the current row. Its location must have been added.
  void addReference(mlir::Operation *op);

  bool empty() const { return rowStarts.empty(); }
  /// Writes the section. This also numbers the strings of the attributes.
  void write(StringPool &strings, Bytes &out) const;

private:
  bool isStorable(mlir::Location location) const;
  uint64_t idOf(mlir::Attribute attribute) const { return ids.lookup(attribute); }
  void number(mlir::Attribute attribute);
  void encode(mlir::Attribute attribute, StringPool &strings, Bytes &out) const;

  tile::Version version;
  llvm::MapVector<mlir::Attribute, uint64_t> ids; ///< From 1; 0 is unknown.
  std::vector<uint32_t> rowStarts;
  std::vector<uint64_t> references;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_WRITEDEBUGINFO_H
