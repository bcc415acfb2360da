// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Writer.h. First come the names and signatures, then globals, then bodies: this order
// determines the numbers of strings, types and constants (bytecode format, 16). The sections are
// written when all numbers are known.

#include "tilewright/bytecode/Writer.h"
#include "tilewright/bytecode/File.h"
#include "tilewright/bytecode/WriteBody.h"
#include "tilewright/tile/table/Versions.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

namespace {

class ModuleWriter {
public:
  ModuleWriter(tile::ModuleOp module, tile::Version version) : module(module), output(version) {}

  LogicalResult write(SmallVectorImpl<char> &bytes);

private:
  LogicalResult collect();
  LogicalResult writeSignatures();
  LogicalResult writeGlobals();
  LogicalResult writeFunctions();
  LogicalResult writeFunction(tile::EntryOp entry);
  void assemble(SmallVectorImpl<char> &bytes);

  tile::ModuleOp module;
  Output output;
  SmallVector<tile::EntryOp> entries;
  SmallVector<tile::GlobalOp> globals;
  Bytes functionSection, globalSection;
};

} // namespace

LogicalResult ModuleWriter::write(SmallVectorImpl<char> &bytes) {
  if (failed(collect()) || failed(writeSignatures()) || failed(writeGlobals()) ||
      failed(writeFunctions()))
    return failure();
  assemble(bytes);
  return success();
}

LogicalResult ModuleWriter::collect() {
  for (Operation &op : module.getBody().getOps()) {
    // Text can contain `@""`, but a file must not (6, 8).
    if (auto symbol = dyn_cast<SymbolOpInterface>(op); symbol && symbol.getName().empty())
      return op.emitOpError("cannot stand in bytecode without a name");
    if (auto entry = dyn_cast<tile::EntryOp>(op))
      entries.push_back(entry);
    else if (auto global = dyn_cast<tile::GlobalOp>(op))
      globals.push_back(global);
    else
      return op.emitOpError("cannot stand in a module in bytecode, only entries and globals can");
  }
  return success();
}

LogicalResult ModuleWriter::writeSignatures() {
  for (tile::EntryOp entry : entries) {
    output.strings.indexOf(entry.getSymName());
    if (!output.types.indexOf(entry.getFunctionType()))
      return entry.emitError("bytecode cannot hold the type ") << entry.getFunctionType();
    if (failed(output.debugInfo.checkLocation(entry)))
      return failure();
    if (DebugPool::hasRow(entry))
      output.debugInfo.addLocation(entry);
  }
  return success();
}

//===-- Globals (6) -------------------------------------------------------------------------===//

LogicalResult ModuleWriter::writeGlobals() {
  globalSection.varint(globals.size());
  for (tile::GlobalOp global : globals) {
    auto value = dyn_cast<DenseElementsAttr>(Attribute(global.getValueAttr()));
    std::optional<uint32_t> name = output.strings.indexOf(global.getSymName());
    std::optional<uint32_t> type = output.types.indexOf(global.getValue().getType());
    if (!value || !type)
      return global.emitError("bytecode cannot hold elements of this kind: ")
             << global.getValueAttr();
    globalSection.varint(*name);
    globalSection.varint(*type);
    globalSection.varint(output.constants.indexOf(value));
    globalSection.varint(global.getAlignment());
    if (output.version >= tile::Version{13, 3}) {
      globalSection.varint(uint64_t(global.getSymbolVisibility()));
      globalSection.varint(global.getConstant());
    }
  }
  return success();
}

//===-- Entries (8) -------------------------------------------------------------------------===//

LogicalResult ModuleWriter::writeFunctions() {
  functionSection.varint(entries.size());
  for (tile::EntryOp entry : entries)
    if (failed(writeFunction(entry)))
      return failure();
  // Like the public writer, and included in the length (17, item 6).
  functionSection.align(requiredAlignment(SectionId::Function));
  return success();
}

/// The custom form gives every argument a dictionary, and most of them are empty.
static bool holdsAny(ArrayAttr dictionaries) {
  return dictionaries && llvm::any_of(dictionaries.getAsRange<DictionaryAttr>(),
                                      [](DictionaryAttr one) { return !one.empty(); });
}

LogicalResult ModuleWriter::writeFunction(tile::EntryOp entry) {
  if (holdsAny(entry.getArgAttrsAttr()) || holdsAny(entry.getResAttrsAttr()))
    entry.emitWarning("bytecode cannot hold attributes of arguments; they are dropped");
  functionSection.varint(output.strings.indexOf(entry.getSymName()));
  functionSection.varint(*output.types.indexOf(entry.getFunctionType()));
  tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
  bool hasArgumentAttributes = output.version >= argumentAttributesSince;
  if (hasArgumentAttributes && !hints)
    hints = tile::OptimizationHintsAttr::get(entry.getContext(),
                                             DictionaryAttr::get(entry.getContext()));
  functionSection.byte(IsKernel | (hints && !hasArgumentAttributes ? HasHints : 0));
  functionSection.varint(DebugPool::hasRow(entry) ? output.debugInfo.startRow(entry) : 0);
  if (hints && failed(output.attributes.writeTagged(entry, hints, functionSection)))
    return failure();
  if (hasArgumentAttributes) {
    functionSection.varint(uint64_t(AttributeTag::Array));
    functionSection.varint(0);
  }
  Bytes body;
  if (failed(BodyWriter(output, entry, body).write()))
    return failure();
  functionSection.varint(body.size());
  functionSection.append(body.bytes());
  return success();
}

//===-- The file (2) ------------------------------------------------------------------------===//

static void writeSection(SectionId id, const Bytes &payload, Bytes &file) {
  uint64_t alignment = requiredAlignment(id);
  file.byte(uint8_t(id) | (alignment ? alignmentFlag : 0));
  file.varint(payload.size());
  if (alignment) {
    file.varint(alignment);
    file.align(alignment);
  }
  file.append(payload.bytes());
}

/// Writes all sections in the order of the public writer; optional ones only if they are not empty.
void ModuleWriter::assemble(SmallVectorImpl<char> &bytes) {
  Bytes file;
  file.append(magic);
  file.byte(output.version.major);
  file.byte(output.version.minor);
  file.fixed<uint16_t>(0);

  auto add = [&](SectionId id, auto write) {
    Bytes payload;
    write(payload);
    writeSection(id, payload, file);
  };
  if (!globals.empty())
    writeSection(SectionId::Global, globalSection, file);
  writeSection(SectionId::Function, functionSection, file);
  if (!output.constants.empty())
    add(SectionId::Constant, [&](Bytes &out) { output.constants.write(out); });
  if (!output.debugInfo.empty())
    add(SectionId::Debug, [&](Bytes &out) { output.debugInfo.write(output.strings, out); });
  add(SectionId::Type, [&](Bytes &out) { output.types.write(out); });
  if (module.getProducer() && output.version >= tile::Version{13, 3})
    add(SectionId::Producer,
        [&](Bytes &out) { out.varint(output.strings.indexOf(*module.getProducer())); });
  add(SectionId::String, [&](Bytes &out) { output.strings.write(out); });
  file.byte(uint8_t(SectionId::End));
  bytes.append(file.bytes().begin(), file.bytes().end());
}

//===-- Public ------------------------------------------------------------------------------===//

tile::Version bytecode::lowestVersion(tile::ModuleOp module) {
  tile::Version lowest = tile::minimumVersion(module);
  return module.getProducer() ? std::max(lowest, tile::Version{13, 3}) : lowest;
}

LogicalResult bytecode::writeModule(tile::ModuleOp module, tile::Version version,
                                    SmallVectorImpl<char> &bytes) {
  if (failed(tile::verifyFits(module, version, /*warnOfMeanings=*/true)))
    return failure();
  return ModuleWriter(module, version).write(bytes);
}

tile::ModuleOp bytecode::findTileModule(mlir::ModuleOp module) {
  if (llvm::hasSingleElement(*module.getBody()))
    if (auto only = dyn_cast<tile::ModuleOp>(module.getBody()->front()))
      return only;
  module.emitError("expected a single CUDA Tile IR module in the MLIR module");
  return {};
}
