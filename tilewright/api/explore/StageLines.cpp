// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StageLines.h.

#include "tilewright/api/explore/StageLines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Regex.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::Regex;
using llvm::SmallVector;
using llvm::StringRef;

static SmallVector<StringRef, 0> linesOf(StringRef text) {
  SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

static unsigned numberIn(StringRef text) {
  unsigned number = 0;
  text.getAsInteger(10, number);
  return number;
}

/// The compilers split the name of a file at its last slash.
static std::string joined(StringRef directory, StringRef file) {
  return directory.empty() ? file.str() : (directory + "/" + file).str();
}

//===-- .loc --------------------------------------------------------------------------------===//

/// The files by number. PTX declares them after its functions.
static llvm::StringMap<std::string> filesIn(llvm::ArrayRef<StringRef> lines) {
  const Regex withDirectory("^[ \t]*\\.file[ \t]+([0-9]+)[ \t]+\"([^\"]*)\"[ \t]+\"([^\"]*)\"");
  const Regex withoutDirectory("^[ \t]*\\.file[ \t]+([0-9]+)[ \t]+\"([^\"]*)\"");
  llvm::StringMap<std::string> files;
  SmallVector<StringRef, 4> parts;
  for (StringRef line : lines)
    if (!line.ltrim().starts_with(".file"))
      continue;
    else if (withDirectory.match(line, &parts))
      files[parts[1]] = joined(parts[2], parts[3]);
    else if (withoutDirectory.match(line, &parts))
      files[parts[1]] = parts[2].str();
  return files;
}

/// Neither a label, a directive, a comment nor a brace.
static bool isInstruction(StringRef line) {
  const StringRef code = line.ltrim();
  return code.size() != line.size() && !code.empty() && !code.starts_with(".") &&
         !code.starts_with("//") && !code.starts_with("#") && !code.ends_with(":");
}

static bool endsFunction(StringRef line) {
  return line.starts_with("}") || line.starts_with(".Lfunc_end");
}

StageLines api::linesByLoc(StringRef assembly) {
  const Regex location("^[ \t]*\\.loc[ \t]+([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)");
  const auto lines = linesOf(assembly);
  const auto files = filesIn(lines);
  StageLines places(lines.size());
  std::optional<SourceLine> current;
  SmallVector<StringRef, 4> parts;
  for (auto [line, place] : llvm::zip_equal(lines, places)) {
    if (endsFunction(line)) {
      current.reset();
    } else if (line.ltrim().starts_with(".loc") && location.match(line, &parts)) {
      current = SourceLine{files.lookup(parts[1]), numberIn(parts[2]), numberIn(parts[3])};
      if (!current->line) // code that the compiler made for several lines
        current.reset();
    } else if (isInstruction(line)) {
      place = current;
    }
  }
  return places;
}

//===-- SASS --------------------------------------------------------------------------------===//

StageLines api::linesOfSass(StringRef sass) {
  const Regex location("^[ \t]*//## File \"([^\"]*)\", line ([0-9]+)");
  const auto lines = linesOf(sass);
  StageLines places(lines.size());
  std::optional<SourceLine> current;
  bool followsLocation = false;
  SmallVector<StringRef, 3> parts;
  for (auto [line, place] : llvm::zip_equal(lines, places)) {
    const bool isLocation = line.contains("//## File") && location.match(line, &parts);
    if (isLocation && !followsLocation)
      current = SourceLine{parts[1].str(), numberIn(parts[2])};
    followsLocation = isLocation;
    if (line.ltrim().starts_with(".section"))
      current.reset(); // each function has its own
    else if (line.ltrim().starts_with("/*"))
      place = current;
  }
  return places;
}

//===-- LLVM IR -----------------------------------------------------------------------------===//

namespace {
/// The metadata of a module: `!6 = !DILocation(line: 20, column: 3, scope: !3)`.
class Metadata {
public:
  explicit Metadata(llvm::ArrayRef<StringRef> lines) {
    for (StringRef line : lines)
      if (line.starts_with("!")) {
        const auto [name, node] = line.split(" = ");
        nodes[name] = node;
      }
  }

  std::optional<SourceLine> placeOf(StringRef name) const {
    const StringRef node = nodes.lookup(name);
    const unsigned line = numberIn(fieldOf(node, "line"));
    if (!line)
      return std::nullopt;
    return SourceLine{fileOf(fieldOf(node, "scope")), line, numberIn(fieldOf(node, "column"))};
  }

private:
  /// `20` for `line`; without quotes, for text.
  static StringRef fieldOf(StringRef node, StringRef name) {
    for (StringRef start : {"(", ", "}) {
      const size_t at = node.find((start + name + ": ").str());
      if (at == StringRef::npos)
        continue;
      StringRef value = node.substr(at + start.size() + name.size() + 2);
      return value.consume_front("\"")
                 ? value.take_until([](char c) { return c == '"'; })
                 : value.take_until([](char c) { return c == ',' || c == ')'; });
    }
    return "";
  }

  std::string fileOf(StringRef scope) const {
    const StringRef file = nodes.lookup(fieldOf(nodes.lookup(scope), "file"));
    return joined(fieldOf(file, "directory"), fieldOf(file, "filename"));
  }

  llvm::StringMap<StringRef> nodes;
};
} // namespace

StageLines api::linesByMetadata(StringRef llvmIr) {
  const Regex reference("!dbg (![0-9]+)");
  const auto lines = linesOf(llvmIr);
  const Metadata metadata(lines);
  StageLines places(lines.size());
  SmallVector<StringRef, 2> parts;
  for (auto [line, place] : llvm::zip_equal(lines, places))
    if (line.starts_with(" ") && line.contains("!dbg ") && reference.match(line, &parts))
      place = metadata.placeOf(parts[1]);
  return places;
}

//===-- Plans -------------------------------------------------------------------------------===//

StageLines api::linesOfPlan(StringRef plan) {
  const Regex position(" at ([0-9]+):([0-9]+)"), value("%[A-Za-z0-9_]+");
  const auto lines = linesOf(plan);
  StageLines places(lines.size());
  llvm::StringMap<SourceLine> values;
  SmallVector<StringRef, 3> parts;
  for (auto [line, place] : llvm::zip_equal(lines, places)) {
    SmallVector<StringRef, 1> name;
    const bool hasValue = value.match(line, &name);
    if (position.match(line, &parts)) {
      place = SourceLine{"", numberIn(parts[1]), numberIn(parts[2])};
      if (hasValue)
        values.insert({name[0], *place});
    } else if (hasValue) {
      if (const auto known = values.find(name[0]); known != values.end())
        place = known->second;
    }
  }
  return places;
}
