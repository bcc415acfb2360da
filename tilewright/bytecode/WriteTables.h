// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the sections that others refer to by index: each new item gets the next number, after all
// that it refers to (bytecode format, 16).

#ifndef TILEWRIGHT_BYTECODE_WRITETABLES_H
#define TILEWRIGHT_BYTECODE_WRITETABLES_H

#include "tilewright/bytecode/Bytes.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

namespace tilewright::bytecode {

class StringPool {
public:
  /// The strings must live as long as the pool.
  uint32_t indexOf(llvm::StringRef string);
  void write(Bytes &out) const { entries.write(out); }

private:
  llvm::DenseMap<llvm::StringRef, uint32_t> indexes;
  Entries<uint32_t> entries;
};

class TypePool {
public:
  explicit TypePool(tile::Version version);

  /// None if the type, or a type that it refers to, has no encoding.
  std::optional<uint32_t> indexOf(mlir::Type type);
  void write(Bytes &out) const { entries.write(out); }

private:
  bool encode(mlir::Type type, Bytes &out);
  void encodeView(tile::TileView view, Bytes &out);
  void writePointerFlags(tile::PointerAttributeAttr attribute, Bytes &out) const;

  tile::Version version;
  llvm::StringMap<uint32_t> tags; ///< By mnemonic.
  llvm::DenseMap<mlir::Type, uint32_t> indexes;
  Entries<uint32_t> entries;
};

class ConstantPool {
public:
  uint32_t indexOf(mlir::DenseElementsAttr elements);
  bool empty() const { return indexes.empty(); }
  void write(Bytes &out) const { entries.write(out); }

private:
  llvm::DenseMap<mlir::Attribute, uint32_t> indexes;
  Entries<uint64_t> entries;
};

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_BYTECODE_WRITETABLES_H
