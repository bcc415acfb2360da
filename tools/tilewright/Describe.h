// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in a file, at a glance? Collected here, shown by `tilewright info`.

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
  uint64_t alignment; ///< In bytes; 0 if the file leaves it open.
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
  /// What a bytecode file states, `13.3.1` with a third part; the oldest version that can
  /// hold the modules of a text.
  std::string version;
  std::optional<std::string> producer;
  uint64_t size; ///< Of the file, in bytes.
  std::vector<EntryFacts> entries;
  std::vector<GlobalFacts> globals;
  std::vector<SectionFacts> sections; ///< As they stand in the file; none in text.
  /// Inside entries: the most frequent first, then by name.
  std::vector<OperationCount> operations;
  uint64_t operationTotal() const;
};

/// Describes the file that `loader` loaded last. None, and diagnosed, if it is a text that
/// holds anything but one Tile IR module, or in it what no version of Tile IR has.
std::optional<Description> describe(api::Loader &loader, mlir::ModuleOp file);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_DESCRIBE_H
