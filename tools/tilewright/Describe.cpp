// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Describe.h.

#include "tools/tilewright/Describe.h"
#include "tilewright/api/Assemble.h"
#include "tilewright/bytecode/File.h"
#include "tilewright/bytecode/Writer.h"
#include "tilewright/tile/Misfits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tilewright;
using namespace tilewright::tools;

/// The type without its dialect prefix, as in the custom form of operations: `tile<ptr<f32>>`.
static std::string shortText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  llvm::StringRef rest = text;
  rest.consume_front("!cuda_tile.");
  return rest.str();
}

static std::string shortText(tile::OptimizationHintsAttr hints) {
  std::string text;
  llvm::raw_string_ostream(text) << hints;
  return text.substr(text.find('<'));
}

static EntryFacts describeEntry(tile::EntryOp entry) {
  EntryFacts facts{entry.getSymName().str(), {}, ""};
  for (mlir::Type type : entry.getArgumentTypes())
    facts.parameters.push_back(shortText(type));
  if (tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr())
    facts.hints = shortText(hints);
  return facts;
}

static GlobalFacts describeGlobal(tile::GlobalOp global) {
  return {global.getSymName().str(), shortText(global.getValue().getType()),
          static_cast<uint64_t>(global.getAlignment()),
          stringifySymbolVisibility(global.getSymbolVisibility()).str(), global.getConstant()};
}

/// Counts the operations inside entries. The most frequent ones come first.
static std::vector<OperationCount> countOperations(llvm::ArrayRef<tile::EntryOp> entries) {
  llvm::StringMap<uint64_t> counts;
  for (tile::EntryOp entry : entries)
    entry.getBody().walk([&](mlir::Operation *op) {
      llvm::StringRef name = op->getName().getStringRef();
      name.consume_front("cuda_tile.");
      ++counts[name];
    });
  std::vector<OperationCount> sorted;
  for (const auto &[name, count] : counts)
    sorted.push_back({name.str(), count});
  llvm::sort(sorted, [](const OperationCount &a, const OperationCount &b) {
    return a.count != b.count ? a.count > b.count : a.name < b.name;
  });
  return sorted;
}

static void describeModule(tile::ModuleOp module, Description &description) {
  if (std::optional<llvm::StringRef> producer = module.getProducer())
    description.producer = producer->str();
  std::vector<tile::EntryOp> entries;
  for (mlir::Operation &op : module.getBody().getOps()) {
    if (auto entry = llvm::dyn_cast<tile::EntryOp>(op))
      entries.push_back(entry);
    else if (auto global = llvm::dyn_cast<tile::GlobalOp>(op))
      description.globals.push_back(describeGlobal(global));
  }
  for (tile::EntryOp entry : entries)
    description.entries.push_back(describeEntry(entry));
  description.operations = countOperations(entries);
}

static void describeFile(const bytecode::File &file, Description &description) {
  description.version = file.version.str();
  if (file.tag)
    description.version += "." + std::to_string(file.tag);
  for (const bytecode::Section &section : file.sections) {
    llvm::StringRef name = bytecode::nameOf(section.id);
    name.consume_back(" section");
    description.sections.push_back(
        {static_cast<unsigned>(section.id), name.str(), section.offset, section.payload.size()});
  }
}

uint64_t Description::operationTotal() const {
  uint64_t total = 0;
  for (const OperationCount &operation : operations)
    total += operation.count;
  return total;
}

std::optional<Description> tools::describe(api::Loader &loader, mlir::ModuleOp file) {
  tile::ModuleOp module = api::theModule(loader, file);
  if (!module || failed(loader.examine(file, tile::verifyHasNoMisfit)))
    return std::nullopt;

  Description description;
  description.bytecode = loader.isBytecode();
  description.size = loader.bytes().size();
  if (description.bytecode)
    describeFile(*bytecode::readFile(llvm::arrayRefFromStringRef<uint8_t>(loader.bytes())),
                 description);
  else
    description.version = bytecode::lowestVersion(module).str();
  describeModule(module, description);
  return description;
}
