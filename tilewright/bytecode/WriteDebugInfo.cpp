// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteDebugInfo.h.

#include "tilewright/bytecode/WriteDebugInfo.h"
#include "tilewright/bytecode/File.h"
#include "tilewright/bytecode/Reader.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;

//===-- Numbering ---------------------------------------------------------------------------===//

/// Positions without a scope cannot be stored; they become unknown.
static bool isDropped(Attribute location) { return isa<UnknownLoc, FileLineColRange>(location); }

LogicalResult DebugPool::checkLocation(Operation *op) const {
  // An operation that was read with its offset had a location that can be stored (Reader.h).
  if (isStorable(op->getLoc()) || !placeOf(op->getLoc()).empty())
    return success();
  return op->emitError("bytecode cannot hold a location of this kind: only debug locations and "
                       "call sites; synthesize-debug-info-scopes makes debug locations of "
                       "file:line:column");
}

/// Call sites share their parts: each is visited only once.
bool DebugPool::isStorable(Location location) const {
  SmallVector<Location> pending = {location};
  DenseSet<Attribute> seen;
  while (!pending.empty()) {
    Location next = pending.pop_back_val();
    auto site = dyn_cast<CallSiteLoc>(next);
    if (!site && !isDropped(next) && !isa<tile::DILocAttr>(next))
      return false;
    if (site && !ids.count(site) && seen.insert(site).second)
      pending.append({site.getCallee(), site.getCaller()});
  }
  return true;
}

/// The numbered parts of a debug attribute, in the order in which they are registered.
static SmallVector<Attribute, 2> partsOf(Attribute attribute) {
  using Parts = SmallVector<Attribute, 2>;
  return llvm::TypeSwitch<Attribute, Parts>(attribute)
      .Case([](tile::DILocAttr loc) { return Parts{loc.getScope()}; })
      .Case([](tile::DILexicalBlockAttr block) { return Parts{block.getScope(), block.getFile()}; })
      .Case([](tile::DISubprogramAttr subprogram) {
        return Parts{subprogram.getFile(), subprogram.getCompileUnit()};
      })
      .Case([](tile::DICompileUnitAttr unit) { return Parts{unit.getFile()}; })
      .Case([](CallSiteLoc site) { return Parts{site.getCallee(), site.getCaller()}; })
      .Default([](Attribute) { return Parts(); });
}

/// Depth first, parts before the whole. Without recursion, because scopes can be nested deeply.
void DebugPool::number(Attribute attribute) {
  SmallVector<std::pair<Attribute, bool>> pending = {{attribute, false}};
  while (!pending.empty()) {
    auto [next, partsDone] = pending.pop_back_val();
    if (isDropped(next) || ids.count(next))
      continue;
    if (partsDone) {
      ids.insert({next, ids.size() + 1});
      continue;
    }
    pending.push_back({next, true});
    SmallVector<Attribute, 2> parts = partsOf(next); // outlives the loop over its reverse
    for (Attribute part : llvm::reverse(parts))
      pending.push_back({part, false});
  }
}

//===-- Rows --------------------------------------------------------------------------------===//

uint32_t DebugPool::startRow(tile::EntryOp entry) {
  rowStarts.push_back(references.size());
  addReference(entry);
  return rowStarts.size();
}

void DebugPool::addReference(Operation *op) { references.push_back(idOf(op->getLoc())); }

//===-- The section -------------------------------------------------------------------------===//

void DebugPool::encode(Attribute attribute, StringPool &strings, Bytes &out) const {
  auto start = [&](DebugTag tag) { out.varint(uint64_t(tag)); };
  auto string = [&](StringAttr value) { out.varint(strings.indexOf(value.getValue())); };
  auto reference = [&](Attribute value) { out.varint(idOf(value)); };
  llvm::TypeSwitch<Attribute>(attribute)
      .Case([&](tile::DIFileAttr file) {
        start(DebugTag::File);
        string(file.getName());
        string(file.getDirectory());
      })
      .Case([&](tile::DICompileUnitAttr unit) {
        start(DebugTag::CompileUnit);
        reference(unit.getFile());
      })
      .Case([&](tile::DISubprogramAttr subprogram) {
        start(DebugTag::Subprogram);
        reference(subprogram.getFile());
        out.varint(subprogram.getLine());
        string(subprogram.getName());
        string(subprogram.getLinkageName());
        reference(subprogram.getCompileUnit());
        out.varint(subprogram.getScopeLine());
        if (version >= argumentAttributesSince)
          out.varint(0); // flags
      })
      .Case([&](tile::DILexicalBlockAttr block) {
        start(DebugTag::LexicalBlock);
        reference(block.getScope());
        reference(block.getFile());
        out.varint(block.getLine());
        out.varint(block.getColumn());
      })
      .Case([&](tile::DILocAttr loc) {
        start(DebugTag::Location);
        reference(loc.getScope());
        string(loc.getSourceLoc().getFilename());
        out.varint(loc.getSourceLoc().getLine());
        out.varint(loc.getSourceLoc().getColumn());
      })
      .Case([&](CallSiteLoc site) {
        start(DebugTag::CallSite);
        reference(site.getCallee());
        reference(site.getCaller());
      });
}

void DebugPool::write(StringPool &strings, Bytes &out) const {
  writeNumbers<uint32_t>(out, rowStarts);
  writeNumbers<uint64_t>(out, references);
  Entries<uint32_t> entries;
  for (auto [attribute, id] : ids) {
    Bytes entry;
    encode(attribute, strings, entry);
    entries.add(entry.bytes());
  }
  entries.write(out);
}
