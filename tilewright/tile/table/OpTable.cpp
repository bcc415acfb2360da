// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OpTable.h.

#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tilewright::tile;

#include "tilewright/tile/table/OpTable.inc"

std::string Version::str() const { return std::to_string(major) + "." + std::to_string(minor); }

std::optional<Version> Version::parse(StringRef text) {
  for (uint8_t minor = oldestVersion.minor; minor <= newestVersion.minor; ++minor)
    if (Version version = {oldestVersion.major, minor}; version.str() == text)
      return version;
  return std::nullopt;
}

ArrayRef<FieldRow> OpRow::fields() const {
  return ArrayRef(fieldTable).slice(firstField, fieldCount);
}

ArrayRef<OpRow> tilewright::tile::allOps() { return opTable; }

const OpRow *tilewright::tile::findOp(StringRef mnemonic) {
  const OpRow *row = llvm::lower_bound(
      opTable, mnemonic, [](const OpRow &row, StringRef name) { return row.mnemonic < name; });
  return row != std::end(opTable) && row->mnemonic == mnemonic ? row : nullptr;
}

ArrayRef<TypeRow> tilewright::tile::allTypes() { return typeTable; }
ArrayRef<TypeRow> tilewright::tile::allElementTypes() { return elementTable; }
ArrayRef<MemberRow> tilewright::tile::allEnumMembers() { return memberTable; }
