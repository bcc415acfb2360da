// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BareText.h.

#include "tilewright/api/text/BareText.h"
#include "tilewright/api/Prescan.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::api;

static constexpr StringRef prefix = "cuda_tile.";
static constexpr StringRef moduleName = "kernels";

std::optional<BareText> BareText::of(const llvm::MemoryBuffer &text) {
  std::vector<size_t> items = api::findBareItems(text.getBuffer());
  return items.empty() ? std::nullopt : std::optional(BareText(text, std::move(items)));
}

BareText::BareText(const llvm::MemoryBuffer &text, std::vector<size_t> found)
    : text(text), items(std::move(found)) {
  StringRef bytes = text.getBuffer();
  unsigned line = 1;
  size_t seen = 0, lineStart = 0;
  for (size_t item : items) {
    for (size_t end; (end = bytes.slice(seen, item).find('\n')) != StringRef::npos; ++line)
      lineStart = seen += end + 1;
    seen = item;
    llvm::SmallVectorImpl<unsigned> &ofLine = columns[line];
    ofLine.push_back(item - lineStart + 1 + ofLine.size() * prefix.size());
  }
}

std::unique_ptr<llvm::MemoryBuffer> BareText::withFullNames() const {
  StringRef bytes = text.getBuffer();
  std::string full;
  size_t copied = 0;
  for (size_t item : items) {
    full += bytes.slice(copied, item);
    full += prefix;
    copied = item;
  }
  full += bytes.drop_front(copied);
  return llvm::MemoryBuffer::getMemBufferCopy(full, text.getBufferIdentifier());
}

//===-- Positions ---------------------------------------------------------------------------===//

unsigned BareText::originalColumn(unsigned line, unsigned column) const {
  auto found = columns.find(line);
  if (found == columns.end())
    return column;
  llvm::ArrayRef<unsigned> ofLine = found->second;
  const unsigned before = llvm::lower_bound(ofLine, column) - ofLine.begin();
  if (before == 0)
    return column;
  // Columns inside the prefix map to the start of the name.
  const unsigned name = ofLine[before - 1] + prefix.size();
  return std::max(column, name) - before * prefix.size();
}

Location BareText::original(Location location) const {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FileLineColLoc place) -> LocationAttr {
    if (place.getFilename() != text.getBufferIdentifier())
      return place;
    return FileLineColLoc::get(place.getFilename(), place.getLine(),
                               originalColumn(place.getLine(), place.getColumn()));
  });
  return cast<LocationAttr>(replacer.replace(LocationAttr(location)));
}

//===-- Wrapping into a module --------------------------------------------------------------===//

LogicalResult BareText::wrap(mlir::ModuleOp file) const {
  for (Operation &op : *file.getBody())
    if (!isa<tile::EntryOp, tile::GlobalOp>(op))
      return op.emitError("operation '")
             << op.getName() << "' cannot stand beside entries and globals without a module";
  file.walk([&](Operation *op) {
    op->setLoc(original(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(original(argument.getLoc()));
  });
  OpBuilder builder(file.getContext());
  auto module =
      tile::ModuleOp::create(builder, file.getLoc(), moduleName, /*producer=*/StringAttr());
  Block &items = module.getBody().emplaceBlock();
  items.getOperations().splice(items.end(), file.getBody()->getOperations());
  file.push_back(module);
  return success();
}
