// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SourceLines.h.

#include "tilewright/report/SourceLines.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/Support/FileSystem.h"

using namespace tilewright;
using namespace tilewright::report;
using llvm::SourceMgr;
using llvm::StringRef;

/// Reads only regular files of limited size: debug information may name anything, such as a pipe,
/// which would block forever.
static std::unique_ptr<llvm::MemoryBuffer> readSource(StringRef name) {
  constexpr uint64_t mostBytes = 16 << 20;
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(name, status) || status.getSize() > mostBytes ||
      status.type() != llvm::sys::fs::file_type::regular_file)
    return nullptr;
  auto buffer = llvm::MemoryBuffer::getFile(name);
  return buffer ? std::move(*buffer) : nullptr;
}

SourceLines::SourceLines(StringRef file, StringRef text) {
  if (!text.empty())
    buffers[file] =
        sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, file), {});
}

unsigned SourceLines::bufferFor(StringRef name) {
  const auto [known, isNew] = buffers.insert({name, 0});
  if (isNew)
    if (auto buffer = readSource(name))
      known->second = sources.AddNewSourceBuffer(std::move(buffer), {});
  return known->second;
}

llvm::SMLoc SourceLines::placeOf(mlir::Location location) {
  const std::optional<tile::SourcePosition> position = tile::sourcePosition(location);
  const unsigned buffer = position ? bufferFor(position->file) : 0;
  return buffer ? sources.FindLocForLineAndColumn(buffer, position->line, position->column)
                : llvm::SMLoc();
}

void SourceLines::print(mlir::Location location, SourceMgr::DiagKind kind,
                        const llvm::Twine &message, llvm::raw_ostream &out) {
  const llvm::SMLoc place = placeOf(location);
  if (place.isValid() && place != shown)
    sources.GetMessage(place, kind, message).print(nullptr, out);
  else
    llvm::SMDiagnostic(tile::locationText(location), kind, message.str()).print(nullptr, out);
  shown = place;
}

static SourceMgr::DiagKind kindOf(const Finding &finding) {
  return isWarning(finding.kind) ? SourceMgr::DK_Warning : SourceMgr::DK_Error;
}

void SourceLines::print(const Finding &finding, llvm::raw_ostream &out) {
  shown = {};
  print(finding.location, kindOf(finding), headlineOf(finding), out);
  for (const Related &related : finding.related)
    print(related.location, SourceMgr::DK_Note, related.message, out);
  for (const Iteration &iteration : finding.iterations)
    print(iteration.loop, SourceMgr::DK_Note, toString(iteration), out);
  if (!finding.schedule.empty())
    print(finding.location, SourceMgr::DK_Note, scheduleTextOf(finding), out);
}
