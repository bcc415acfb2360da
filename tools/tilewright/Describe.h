// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the summary of a file that `tilewright info` prints: version, entries, globals, sections
// and operation counts.

#ifndef TILEWRIGHT_TOOLS_DESCRIBE_H
#define TILEWRIGHT_TOOLS_DESCRIBE_H

#include "tilewright/api/Load.h"

namespace tilewright::tools {

struct EntryFacts {
  std::string name;
  std::vector<std::string> parameters; ///< Types in short form: `tile<ptr<f32>>`.
  std::string hints;                   ///< `<sm_100 = {occupancy = 2}>`; empty if there are none.
};

struct GlobalFacts {
  std::string name;
  std::string type;
  uint64_t alignment; ///< In bytes; 0 if not specified.
  std::string visibility;
  bool constant;
};

struct SectionFacts {
  unsigned id;
  std::string name;
  uint64_t offset, size; ///< Of the payload.
};

struct OperationCount {
  std::string name;
  uint64_t count;
};

struct Description {
  bool bytecode;
  /// For bytecode, the version in its header (`13.3.1` if it has a tag); for text, the oldest
  /// version that can represent the module.
  std::string version;
  std::optional<std::string> producer;
  uint64_t size; ///< File size in bytes.
  std::vector<EntryFacts> entries;
  std::vector<GlobalFacts> globals;
  std::vector<SectionFacts> sections; ///< In file order; empty for text.
  /// Only operations inside entries. The most frequent ones come first, then by name.
  std::vector<OperationCount> operations;
  uint64_t operationTotal() const;
};

/// Describes the file that `loader` loaded last. Returns none, after a diagnostic, if a text does
/// not consist of one Tile IR module, or the module uses something that no Tile IR version has.
std::optional<Description> describe(api::Loader &loader, mlir::ModuleOp file);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_DESCRIBE_H
