// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module in the notation of test/bytecode/vectors/README.md, which shows details of bytecode that
// text hides: value numbers, operand groups, every attribute.

#ifndef TILEWRIGHT_TEST_SUPPORT_BYTECODE_LISTING_H
#define TILEWRIGHT_TEST_SUPPORT_BYTECODE_LISTING_H

#include "tilewright/bytecode/File.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::bytecode {

/// Properties of a function that only the file has (bytecode format, 8).
struct FunctionFacts {
  uint8_t flags;
  uint64_t locationRow;
};

/// Properties that only the file has: its tables, and how functions refer to them.
struct FileFacts {
  std::string header; ///< The first line of a listing.
  std::vector<FunctionFacts> functions;
};

/// Counts tables in the raw payloads of a file that the reader accepts.
FileFacts factsOf(const File &file);

/// Globals and entries as in a file of this version, one line per operation. With `functions`, the
/// lines of entries include their flags and location row.
std::string listModule(tile::ModuleOp module, tile::Version version,
                       llvm::ArrayRef<FunctionFacts> functions = {});

} // namespace tilewright::bytecode

#endif // TILEWRIGHT_TEST_SUPPORT_BYTECODE_LISTING_H
