// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins what is known about an explored kernel by source line, as the members of the document
// (docs/explore.md).

#ifndef TILEWRIGHT_API_EXPLORE_DOCUMENT_H
#define TILEWRIGHT_API_EXPLORE_DOCUMENT_H

#include "tilewright/api/explore/Runs.h"
#include "tilewright/api/explore/Stages.h"

#include <map>

namespace tilewright::api {

class Document {
public:
  explicit Document(const ExploredProgram &program) : sources(program), program(program) {}

  void addReference(ReferenceOutcome reference);
  void addPtx(const PtxOutcome &ptx);
  /// Why the machine did not run the kernel.
  void addFailure(llvm::StringRef device, llvm::StringRef message);
  /// After both machines.
  void addCode(ExploredCode code, const report::OperationCounts &counts, const runtime::Grid &grid);
  llvm::json::Object takeMembers(const runtime::Grid &grid, const ExploreOptions &options);

  SourceTable sources;

private:
  /// Everything about one source line.
  struct LineRow {
    /// The largest count of the operations on the line; none if it has no operation.
    std::optional<int64_t> executions;
    /// The counters; none if no instruction belongs to the line.
    std::optional<llvm::json::Object> counters;
    /// Indices into the findings of the document.
    llvm::json::Array findings;
  };

  void addCoverage(const report::OperationCounts &counts);
  void addCounters(const llvm::json::Object &all);
  void addFindings(llvm::StringRef device, llvm::ArrayRef<report::Finding> findings);
  llvm::json::Array linesAsJson();

  const ExploredProgram &program;
  std::map<std::pair<std::string, int64_t>, LineRow> lines;
  llvm::json::Array findings, operations;
  /// The first finding of each group, by what its findings have in common.
  std::map<std::string, int64_t> groups;
  llvm::json::Object devices;
  llvm::json::Value counters = nullptr;
  /// Members that are complete.
  llvm::json::Object members;
};

/// The text of a document: a line for each member, because indentation would double the size of a
/// large one.
std::string textOfDocument(llvm::json::Object members);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_DOCUMENT_H
