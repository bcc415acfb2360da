// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Watch.h.

#include "tools/tilewright/run/Watch.h"
#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/report/CoverageReport.h"
#include "tools/WriteFile.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using support::Failure;
using support::Result;

/// The linear index of a block given as `1,0`; missing coordinates are 0.
static Result<int64_t> blockNumber(StringRef text, const runtime::Grid &grid) {
  const int64_t extents[] = {grid.x(), grid.y(), grid.z()};
  int64_t at[] = {0, 0, 0};
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  bool isGood = parts.size() <= 3;
  for (size_t dim = 0; isGood && dim < parts.size(); ++dim)
    isGood = !parts[dim].getAsInteger(10, at[dim]);
  if (!isGood)
    return Failure{"--trace-block: expected X[,Y[,Z]], but got '" + text.str() + "'"};
  for (size_t dim = 0; dim < 3; ++dim)
    if (at[dim] < 0 || at[dim] >= extents[dim])
      return Failure{"--trace-block: there is no block " + text.str() + " in a grid of " +
                     std::to_string(grid.x()) + "," + std::to_string(grid.y()) + "," +
                     std::to_string(grid.z())};
  return at[0] + extents[0] * (at[1] + extents[1] * at[2]);
}

static Result<reference::TraceFilter> filterOf(const WatchOptions &options,
                                               const runtime::Grid &grid) {
  reference::TraceFilter filter;
  for (StringRef text : options.blocks) {
    Result<int64_t> block = blockNumber(text, grid);
    if (!block)
      return block.failure();
    filter.blocks.insert(*block);
  }
  Result<llvm::StringSet<>> operations = api::tracedOperations(options.operations);
  if (!operations)
    return operations.failure().at("--trace-op");
  filter.operations = *std::move(operations);
  return filter;
}

Result<std::unique_ptr<Watch>> Watch::create(tile::EntryOp entry, const runtime::Grid &grid,
                                             const WatchOptions &options, StringRef file,
                                             llvm::raw_ostream &err) {
  std::unique_ptr<Watch> watch(new Watch(entry, options, file, err));
  Result<reference::TraceFilter> filter = filterOf(options, grid);
  if (!filter)
    return filter.failure();
  if (Result<void> added = watch->addTrace(*filter); !added)
    return added.failure();
  if (Result<void> added = watch->addBreakpoint(*filter); !added)
    return added.failure();
  if (!options.coverage.empty())
    watch->observers.add(watch->coverage.emplace(entry));
  // A trace on the same stream already shows the progress.
  if (!options.quiet && err.is_displayed() && options.trace != "-")
    watch->observers.add(watch->progress.emplace(err, grid.blockCount()));
  return watch;
}

/// If the launch could not start, `finish` was not called. LLVM ends the program when it destroys a
/// stream with an unchecked error, so check it here.
Watch::~Watch() {
  if (traceFile)
    (void)flush(*traceFile, options.trace);
}

Result<void> Watch::addTrace(const reference::TraceFilter &filter) {
  if (options.trace.empty())
    return {};
  if (options.trace != "-") {
    std::error_code error;
    traceFile = std::make_unique<llvm::raw_fd_ostream>(options.trace, error);
    if (error)
      return Failure{options.trace + ": cannot write: " + error.message()};
  }
  llvm::raw_ostream &out = traceFile ? *traceFile : err;
  // A whole line at once, because standard error is unbuffered.
  observers.add(trace.emplace(entry, filter, [&out](const reference::TraceLine &line) {
    out << (line.text + "\n").str();
  }));
  return {};
}

Result<void> Watch::addBreakpoint(const reference::TraceFilter &filter) {
  if (options.breakAt.empty())
    return {};
  BreakOptions asked{options.breakAt, options.breakFolder, options.breakEnds, filter, file};
  Result<std::unique_ptr<Breakpoint>> made = Breakpoint::create(entry, std::move(asked), err);
  if (!made)
    return made.failure();
  breakpoint = std::move(*made);
  observers.add(*breakpoint);
  return {};
}

Result<void> Watch::finish() {
  progress.reset();
  if (traceFile)
    if (Result<void> written = flush(*traceFile, options.trace); !written)
      return written;
  if (breakpoint)
    if (Result<void> finished = breakpoint->finish(); !finished)
      return finished;
  if (!coverage)
    return {};
  report::CoverageReport report{coverage->counts(), entry.getSymName(), entry.getLoc(), file};
  if (options.coverage != "-")
    return writeFile(options.coverage, report.forFile(options.coverage));
  err << report.toText();
  return {};
}
