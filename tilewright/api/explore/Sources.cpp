// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sources.h. A program decides which files it names, and the document may be published, so only
// Python files are read.

#include "tilewright/api/explore/Sources.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using report::jsonText;
namespace json = llvm::json;

//===-- Files -------------------------------------------------------------------------------===//

static bool isPythonFile(StringRef file) { return file.ends_with(".py"); }

/// Notebook cells are named `<ipython-input-1-0123>`, or like files.
static bool isPython(StringRef file) { return isPythonFile(file) || file.starts_with("<ipython-"); }

/// The text of a regular file of limited size. Not that of a symbolic link, which may lead to a
/// file with another suffix.
static std::optional<std::string> readRegularFile(const llvm::Twine &path) {
  constexpr uint64_t mostBytes = 1 << 20;
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status, /*follow=*/false) || status.getSize() > mostBytes ||
      status.type() != llvm::sys::fs::file_type::regular_file)
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt;
}

/// Looks for a relative path in the working directory, then beside the program.
static std::optional<std::string> readPython(StringRef file, StringRef program) {
  if (!isPythonFile(file))
    return std::nullopt;
  if (std::optional<std::string> text = readRegularFile(file))
    return text;
  if (llvm::sys::path::is_absolute(file))
    return std::nullopt;
  llvm::SmallString<128> beside = llvm::sys::path::parent_path(program);
  llvm::sys::path::append(beside, file);
  return readRegularFile(beside);
}

std::optional<std::string> SourceTable::textOf(StringRef file,
                                               const ExploreOptions &options) const {
  for (const SourceText &given : options.sources)
    if (given.file == file)
      return given.text;
  if (file == program.file() && !program.text().empty())
    return program.text().str();
  return options.readsSources ? readPython(file, program.file()) : std::nullopt;
}

json::Array SourceTable::toJson(const ExploreOptions &options) const {
  json::Array sources;
  for (const auto &[file, number] : numbers) {
    json::Object source{{"file", jsonText(file)},
                        {"language", isPython(file) ? "python" : "tile"},
                        {"text", nullptr}};
    if (const std::optional<std::string> text = textOf(file, options))
      source["text"] = jsonText(*text);
    sources.push_back(std::move(source));
  }
  return sources;
}

//===-- The program -------------------------------------------------------------------------===//

/// The place that messages name, then those of callers and of other parts of the location.
static json::Array placesOf(mlir::Location location, SourceTable &sources) {
  json::Array places;
  const auto add = [&](StringRef file, int64_t line) {
    json::Array place = sources.placeOf(file, line);
    if (!llvm::is_contained(places, json::Value(json::Array(place))))
      places.push_back(std::move(place));
  };
  if (const auto position = tile::sourcePosition(location))
    add(position->file, position->line);
  location->walk([&](mlir::Location part) {
    if (const auto line = llvm::dyn_cast<mlir::FileLineColLoc>(part))
      add(line.getFilename().getValue(), line.getLine());
    return mlir::WalkResult::advance();
  });
  return places;
}

json::Object api::programAsJson(const ExploredProgram &program, SourceTable &sources) {
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  mlir::AsmState::LocationMap positions;
  mlir::AsmState state(program.contents(), flags, &positions);
  std::string text;
  llvm::raw_string_ostream stream(text);
  program.contents()->print(stream, state);
  json::Array lines(std::vector<json::Value>(StringRef(text).count('\n'), json::Array()));
  program.module().walk([&](mlir::Operation *op) {
    if (const auto position = positions.find(op); position != positions.end())
      lines[position->second.first - 1] = placesOf(op->getLoc(), sources);
  });
  return json::Object{{"text", jsonText(text)}, {"lines", std::move(lines)}};
}
