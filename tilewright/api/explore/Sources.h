// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that locations of an explored kernel name, numbered, and the program as text with the
// places of each line.

#ifndef TILEWRIGHT_API_EXPLORE_SOURCES_H
#define TILEWRIGHT_API_EXPLORE_SOURCES_H

#include "tilewright/api/explore/ExploreOptions.h"
#include "tilewright/api/explore/Program.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace tilewright::api {

/// The first file is the program's.
class SourceTable {
public:
  explicit SourceTable(const ExploredProgram &program) : program(program) {
    indexOf(program.file());
  }

  /// Adds the file if it is new.
  int64_t indexOf(llvm::StringRef file) {
    return numbers.insert({file.str(), int64_t(numbers.size())}).first->second;
  }
  /// `[source, line]`
  llvm::json::Array placeOf(llvm::StringRef file, int64_t line) {
    return llvm::json::Array{indexOf(file), line};
  }

  /// `sources` of the document.
  llvm::json::Array toJson(const ExploreOptions &options) const;

private:
  std::optional<std::string> textOf(llvm::StringRef file, const ExploreOptions &options) const;

  const ExploredProgram &program;
  llvm::MapVector<std::string, int64_t, llvm::StringMap<unsigned>> numbers;
};

/// `program` of the document.
llvm::json::Object programAsJson(const ExploredProgram &program, SourceTable &sources);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_SOURCES_H
