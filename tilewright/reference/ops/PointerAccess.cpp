// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes memory accesses through pointers. Every enabled element of a pointer tile addresses one
// element of memory; elements that the mask disables are not evaluated (operations, 7).

#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using namespace tilewright::reference;
using support::Result;

//===-- Tokens ------------------------------------------------------------===//

static LogicalResult execute(TileBlock &block, tile::MakeTokenOp op) {
  return block.define(op.getResult(), Token());
}

static LogicalResult execute(TileBlock &block, tile::JoinTokensOp op) {
  Token joined;
  for (mlir::Value operand : op.getTokens()) {
    Token token = block.token(operand);
    joined.clock.join(token.clock);
    joined.pending.append(token.pending);
  }
  dropFinished(joined);
  return block.define(op.getResult(), std::move(joined));
}

/// Launches run one after the other, so these operations never wait, but a dependent launch needs a
/// gdc_wait_tko to be ordered after its predecessor (13.4, section 4). The effect of a fence is the
/// order that its token gives. It is not checked whether a fence is missing between an access to an
/// array and one to the multicast address that stands for it (13.5, section 5).
template <typename Op> static LogicalResult passOn(TileBlock &block, Op op) {
  Token token = block.token(op.getToken());
  dropFinished(token);
  if constexpr (std::is_same_v<Op, tile::GdcWaitOp>)
    token.clock.join(block.launch().predecessor);
  return block.define(op.getResultToken(), std::move(token));
}
static LogicalResult execute(TileBlock &block, tile::GdcLaunchDependentsOp op) {
  return passOn(block, op);
}
static LogicalResult execute(TileBlock &block, tile::GdcWaitOp op) { return passOn(block, op); }
static LogicalResult execute(TileBlock &block, tile::MemoryFenceAliasOp op) {
  return passOn(block, op);
}

//===-- Addresses ---------------------------------------------------------===//

/// Appends an element, to the last segment if it is contiguous with that.
static void append(std::vector<Segment> &segments, int64_t element, Place place) {
  if (!segments.empty()) {
    Segment &last = segments.back();
    if (last.element + last.count == element && last.at(last.count).address == place.address &&
        place.format != Format::F4E2M1FN) {
      ++last.count;
      return;
    }
  }
  segments.push_back({element, 1, place});
}

/// The number of segments, or a few more if addresses are poison.
static size_t countSegments(const Tile &addresses, const Tile *enabled, unsigned elementBytes) {
  size_t count = 0;
  std::optional<uint64_t> next; // The address that continues the last segment.
  for (int64_t i = 0; i < addresses.size(); ++i) {
    if (enabled && !(*enabled)[i].bits) {
      next.reset();
      continue;
    }
    const uint64_t address = addresses[i].bits;
    count += next != address;
    next = address + elementBytes;
  }
  return count;
}

/// Reports an undefined address that is used. Returns false if the check is disabled.
static bool reportAddress(TileBlock &block, mlir::Operation *op, mlir::Value pointers, int64_t i) {
  if (!shouldReportUse(block, op, Check::Undefined))
    return isUseReported(block, op, Check::Undefined);
  llvm::ArrayRef<int64_t> shape = block.tile(pointers).shape();
  Finding finding =
      block.finding(FindingKind::Misbehaviour, op,
                    nameOf(op) + ": " + elementPrefix(shape, i) + "the address is undefined");
  finding.rule = &ruleOf(Check::Undefined);
  finding.element = support::coordinateText(shape, i);
  explain(block, finding, pointers, i);
  return reportUse(block, op, Check::Undefined, std::move(finding));
}

LogicalResult reference::findSegments(TileBlock &block, mlir::Operation *op, mlir::Value pointers,
                                      mlir::Value mask, std::vector<Segment> &segments,
                                      llvm::function_ref<void(int64_t)> disabled) {
  auto type = llvm::cast<tile::TileType>(pointers.getType());
  Format format =
      *tile::formatOf(llvm::cast<tile::PointerType>(type.getElementType()).getPointeeType());
  // Two elements share an address, so a pointer cannot distinguish them (operations, 4.9).
  if (format == Format::F4E2M1FN)
    return block.unsupported(op, "access to f4E2M1FN elements through pointers");

  if (mask)
    expectDefined(block, op, mask, "the mask");
  const Tile &addresses = block.tile(pointers);
  const Tile *enabled = mask ? &block.tile(mask) : nullptr;
  bool anyPoison = addresses.firstPoison().has_value();
  // A vector that grows would touch twice the memory.
  segments.reserve(countSegments(addresses, enabled, bytesOf(format)));
  for (int64_t i = 0; i < addresses.size(); ++i) {
    if (enabled && !(*enabled)[i].bits) {
      disabled(i);
      continue;
    }
    Element address = addresses[i];
    // A reported element reads as zero, so that it causes no further findings.
    if (anyPoison && address.poison && reportAddress(block, op, pointers, i))
      continue;
    append(segments, i, {address.bits, format});
  }
  return llvm::success();
}

//===-- Operations --------------------------------------------------------===//

static Tile pointerTo(uint64_t address) {
  return Tile::scalar(Element::fromBits(Format::Pointer, address));
}

static LogicalResult execute(TileBlock &block, tile::GetGlobalOp op) {
  uint64_t address = block.launch().globals.find(op.getNameAttr().getAttr())->second;
  return block.define(op.getResult(), pointerTo(address));
}

static LogicalResult execute(TileBlock &block, tile::AllocaOp op) {
  auto type = llvm::cast<tile::TileType>(op.getResult().getType());
  auto pointer = llvm::cast<tile::PointerType>(type.getElementType());
  Result<Allocation *> allocated = block.memory().allocateUndefined(
      "the alloca at " + locationText(op.getLoc()), *tile::formatOf(pointer.getPointeeType()),
      op.getNumElem(), op.getAlignment());
  if (!allocated) {
    block.add(block.finding(FindingKind::Unsupported, op,
                            nameOf(op) + ": " + allocated.failure().message));
    return llvm::failure();
  }
  Allocation *allocation = *allocated;
  if (!op.getGlobal())
    allocation->owner = block.id().number;
  block.allocationScope().allocas.push_back(allocation);
  return block.define(op.getResult(), pointerTo(allocation->address));
}

static LogicalResult execute(TileBlock &block, tile::LoadPtrOp op) {
  // Without padding, a disabled element has no value. Padding without a mask, which only the
  // generic form can express, is unused (operations, 7.3).
  Tile result(llvm::cast<tile::TileType>(op.getResult().getType()));
  const Tile *padding = op.getPaddingValue() ? &block.tile(op.getPaddingValue()) : nullptr;
  auto pad = [&](int64_t i) {
    padding ? result.copyFrom(*padding, i, i, 1) : block.setUnspecified(result, i);
  };
  MemoryOperation load{op, Effect::Load, semanticsOf(op), block.token(op.getToken())};
  if (llvm::failed(findSegments(block, op, op.getSource(), op.getMask(), load.segments, pad)))
    return llvm::failure();
  load.result = std::move(result);
  return issue(block, std::move(load), op.getResult(), op.getResultToken());
}

static LogicalResult execute(TileBlock &block, tile::StorePtrOp op) {
  MemoryOperation store{op, Effect::Store, semanticsOf(op), block.token(op.getToken())};
  store.operand = block.tile(op.getValue());
  if (llvm::failed(findSegments(block, op, op.getDestination(), op.getMask(), store.segments,
                                [](int64_t) {})))
    return llvm::failure();
  return issue(block, std::move(store), nullptr, op.getResultToken());
}

Execute reference::pointerAccessExecutor(mlir::Operation *op) {
  return firstOf<tile::MakeTokenOp, tile::JoinTokensOp, tile::GdcLaunchDependentsOp,
                 tile::GdcWaitOp, tile::MemoryFenceAliasOp, tile::GetGlobalOp, tile::AllocaOp,
                 tile::LoadPtrOp, tile::StorePtrOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
