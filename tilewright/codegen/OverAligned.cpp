// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OverAligned.h.

#include "tilewright/codegen/OverAligned.h"

#include <cstring>

using namespace tilewright;
using namespace llvm::jitlink;
using namespace llvm::orc;

namespace {
/// A block, and its original alignment.
using Wish = std::pair<Block *, uint64_t>;
using Wishes = std::vector<Wish>;

class OverAlignment : public LinkGraphLinkingLayer::Plugin {
public:
  explicit OverAlignment(uint64_t pageBytes) : pageBytes(pageBytes) {}

  void modifyPassConfig(MaterializationResponsibility &, LinkGraph &,
                        PassConfiguration &passes) override;
  llvm::Error notifyFailed(MaterializationResponsibility &) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(JITDylib &, ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(JITDylib &, ResourceKey, ResourceKey) override {}

private:
  uint64_t pageBytes;
};
} // namespace

/// Makes the page-aligned block long enough that its contents can be moved to a multiple of
/// `alignment`.
static void makeRoom(LinkGraph &graph, Block &block, uint64_t pageBytes) {
  const size_t size = block.getSize(), more = block.getAlignment() - pageBytes;
  block.setAlignment(pageBytes);
  if (block.isZeroFill())
    return block.setZeroFillSize(size + more);
  llvm::MutableArrayRef<char> bytes = graph.allocateBuffer(size + more);
  std::memcpy(bytes.data(), block.getContent().data(), size);
  std::memset(bytes.data() + size, 0, more);
  block.setMutableContent(bytes);
}

/// Moves the contents of the block, and adjusts all symbols and edges in it.
static void moveContents(LinkGraph &graph, Block &block, uint64_t alignment) {
  const uint64_t address = block.getAddress().getValue();
  const uint64_t distance = llvm::alignTo(address, alignment) - address;
  if (!block.isZeroFill()) {
    llvm::MutableArrayRef<char> bytes = block.getAlreadyMutableContent();
    std::memmove(bytes.data() + distance, bytes.data(), bytes.size() - distance);
  }
  for (Edge &edge : block.edges())
    edge.setOffset(edge.getOffset() + distance);
  for (Symbol *symbol : graph.defined_symbols())
    if (&symbol->getBlock() == &block)
      symbol->setOffset(symbol->getOffset() + distance);
}

void OverAlignment::modifyPassConfig(MaterializationResponsibility &, LinkGraph &,
                                     PassConfiguration &passes) {
  auto wishes = std::make_shared<Wishes>();
  passes.PostPrunePasses.push_back([this, wishes](LinkGraph &graph) {
    for (Block *block : graph.blocks())
      if (block->getAlignment() > pageBytes) {
        wishes->push_back({block, block->getAlignment()});
        makeRoom(graph, *block, pageBytes);
      }
    return llvm::Error::success();
  });
  passes.PostAllocationPasses.push_back([wishes](LinkGraph &graph) {
    for (auto [block, alignment] : *wishes)
      moveContents(graph, *block, alignment);
    return llvm::Error::success();
  });
}

std::shared_ptr<LinkGraphLinkingLayer::Plugin> codegen::overAlignment(uint64_t pageBytes) {
  return std::make_shared<OverAlignment>(pageBytes);
}
