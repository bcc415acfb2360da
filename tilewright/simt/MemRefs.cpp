// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect memref: allocation, views, and accesses to single elements.
//
// Memory in the workgroup address space belongs to the operation that allocates it, as on a GPU: if
// that is executed again, it returns the same memory, uninitialised, but with its access history.
// Other `alloca`s give each thread private memory, whose lifetime ends when the operation is
// executed again; all other allocations give the workgroup new memory each time.

#include "tilewright/simt/Combine.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;
using vector::CombiningKind;

//===-- Allocation -----------------------------------------------------------------------===//

static bool isSpace(MemRefType type, gpu::AddressSpace space, int64_t number) {
  const Attribute attribute = type.getMemorySpace();
  if (auto gpuSpace = llvm::dyn_cast_or_null<gpu::AddressSpaceAttr>(attribute))
    return gpuSpace.getValue() == space;
  auto integer = llvm::dyn_cast_or_null<IntegerAttr>(attribute);
  return integer && integer.getInt() == number;
}

/// A number that must be the same in all active threads.
static std::optional<int64_t> decideTogether(Machine &machine, Operation &op, Value value,
                                             StringRef role) {
  std::optional<int64_t> common;
  for (int64_t thread : machine.uniformRow(machine.of(value).uniform)) {
    const std::optional<int64_t> own = machine.decide(op, thread, value, role);
    if (!own)
      return std::nullopt;
    if (common && *common != *own) {
      (void)machine.refuse(op, formatv("{0} of thread {1} is {2}, but that of thread {3} is {4}: "
                                       "memory of the workgroup has one size",
                                       role, machine.active().front(), *common, thread, *own));
      return std::nullopt;
    }
    common = own;
  }
  return common;
}

/// The static extents, completed with the dynamic ones.
static std::optional<SmallVector<int64_t>> extentsOf(Machine &machine, Operation &op,
                                                     MemRefType type, ValueRange dynamic) {
  SmallVector<int64_t> extents(type.getShape());
  for (int64_t &extent : extents) {
    if (!ShapedType::isDynamic(extent))
      continue;
    const std::optional<int64_t> size = decideTogether(machine, op, dynamic.front(), "an extent");
    if (!size)
      return std::nullopt;
    if (*size < 0) {
      (void)machine.stop(Check::OutOfBounds, op, formatv("an extent is {0}", *size));
      return std::nullopt;
    }
    extent = *size;
    dynamic = dynamic.drop_front();
  }
  return extents;
}

static LogicalResult allocate(Machine &machine, Operation &op, MemRefType type, ValueRange dynamic,
                              bool isOnStack) {
  if (!type.getLayout().isIdentity())
    return machine.refuse(
        op, formatv("memory of type {0}: only row-major memory can be allocated", type));
  const auto extents = extentsOf(machine, op, type, dynamic);
  if (!extents)
    return failure();
  const bool isShared = isSpace(type, gpu::AddressSpace::Workgroup, 3);
  const bool isOwn = !isShared && (isOnStack || isSpace(type, gpu::AddressSpace::Private, 5));
  const std::optional<int64_t> count = support::elementCount(*extents);
  if (!count)
    return machine.refuse(op, "memory of more elements than 64 bits can count");
  auto known = machine.memoryOfOp.find(&op);
  unsigned number;
  if ((isShared || isOnStack) && known != machine.memoryOfOp.end() &&
      machine.memory(known->second).reach() == *count) {
    number = known->second;
    machine.memory(number).forgetValues();
  } else {
    support::Result<unsigned> made = machine.allocate(
        formatv("the memory of '{0}' at {1}", op.getName(), placeOf(op.getLoc())),
        *formatOf(type.getElementType()), *extents, *count, isOwn ? machine.threads() : 1);
    if (!made)
      return machine.refuse(op, made.failure().message);
    machine.memoryOfOp[&op] = number = *made;
  }
  machine.define(op.getResult(0), true).references[0] = {
      number, 0, SmallVector<int64_t>(*extents),
      support::rowMajorStrides<SmallVector<int64_t>>(*extents)};
  return success();
}

template <typename Op, bool isOnStack> static LogicalResult executeAlloc(Machine &machine, Op op) {
  if (!op.getSymbolOperands().empty())
    return machine.refuse(*op, "memory with a layout that has symbols cannot be allocated");
  return allocate(machine, *op, op.getType(), op.getDynamicSizes(), isOnStack);
}

/// Nothing to do: memory lives as long as the run, and use after free is not checked here.
static LogicalResult executeDealloc(Machine &, memref::DeallocOp) { return success(); }

static LogicalResult executeGetGlobal(Machine &machine, memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(op, op.getNameAttr());
  const MemRefType type = op.getType();
  auto [known, isNew] = machine.memoryOfOp.try_emplace(global);
  if (isNew) {
    const std::optional<int64_t> count = support::elementCount(type.getShape());
    if (!count)
      return machine.refuse(*op, "a global of more elements than 64 bits can count");
    support::Result<unsigned> made =
        machine.allocate(formatv("the global '{0}'", op.getName()),
                         *formatOf(type.getElementType()), type.getShape(), *count);
    if (!made)
      return machine.refuse(*op, made.failure().message);
    known->second = *made;
    if (auto values = llvm::dyn_cast_or_null<DenseElementsAttr>(
            global.getInitialValue().value_or(Attribute()))) {
      Register row;
      row.resize({*formatOf(type.getElementType()), *count}, true, 1);
      fillFrom(row, values);
      for (int64_t place = 0; place < *count; ++place)
        machine.memory(*made).write(place, row.at(0, place));
    }
  }
  machine.define(op, true).references[0] = {
      known->second, 0, SmallVector<int64_t>(type.getShape()),
      support::rowMajorStrides<SmallVector<int64_t>>(type.getShape())};
  return success();
}

//===-- Accesses -------------------------------------------------------------------------===//

static LogicalResult executeLoad(Machine &machine, memref::LoadOp op) {
  const Register &source = machine.of(op.getMemRef());
  Register &result = machine.define(op, machine.readsAlike(op.getMemRef(), op.getIndices()));
  for (int64_t thread : machine.readersOf(result)) {
    const auto indices = machine.indicesOf(*op, thread, op.getIndices());
    if (!indices)
      return failure();
    const Reference &reference = source.reference(thread);
    const std::optional<int64_t> place = machine.placeOf(*op, thread, reference, *indices);
    if (!place)
      return failure();
    result.set(thread, 0, machine.load({op, thread}, reference, *place));
  }
  return success();
}

static LogicalResult executeStore(Machine &machine, memref::StoreOp op) {
  for (int64_t thread : machine.active()) {
    const auto indices = machine.indicesOf(*op, thread, op.getIndices());
    if (!indices)
      return failure();
    const Reference &reference = machine.of(op.getMemRef()).reference(thread);
    const std::optional<int64_t> place = machine.placeOf(*op, thread, reference, *indices);
    if (!place)
      return failure();
    machine.store({op, thread, true}, reference, *place, machine.of(op.getValue()).at(thread));
  }
  return success();
}

static Element modify(arith::AtomicRMWKind kind, Element old, Element value) {
  using K = arith::AtomicRMWKind;
  switch (kind) {
  case K::assign:
    return value;
  case K::addf:
  case K::addi:
    return combine(CombiningKind::ADD, old, value);
  case K::mulf:
  case K::muli:
    return combine(CombiningKind::MUL, old, value);
  case K::andi:
    return combine(CombiningKind::AND, old, value);
  case K::ori:
    return combine(CombiningKind::OR, old, value);
  case K::xori:
    return combine(CombiningKind::XOR, old, value);
  case K::maximumf:
    return combine(CombiningKind::MAXIMUMF, old, value);
  case K::maxnumf:
    return combine(CombiningKind::MAXNUMF, old, value);
  case K::minimumf:
    return combine(CombiningKind::MINIMUMF, old, value);
  case K::minnumf:
    return combine(CombiningKind::MINNUMF, old, value);
  case K::maxs:
    return combine(CombiningKind::MAXSI, old, value);
  case K::maxu:
    return combine(CombiningKind::MAXUI, old, value);
  case K::mins:
    return combine(CombiningKind::MINSI, old, value);
  case K::minu:
    return combine(CombiningKind::MINUI, old, value);
  }
  llvm_unreachable("all kinds are listed");
}

/// Executed by one thread after the other. The result is the previous value, as in the lowering to
/// LLVM.
static LogicalResult executeAtomic(Machine &machine, memref::AtomicRMWOp op) {
  Register &result = machine.define(op, false);
  for (int64_t thread : machine.active()) {
    const auto indices = machine.indicesOf(*op, thread, op.getIndices());
    if (!indices)
      return failure();
    const Reference &reference = machine.of(op.getMemref()).reference(thread);
    const std::optional<int64_t> place = machine.placeOf(*op, thread, reference, *indices);
    if (!place)
      return failure();
    const Access access = {op, thread, /*writes=*/true, /*isAtomic=*/true};
    const Element old = machine.load(access, reference, *place);
    result.set(thread, 0, old);
    machine.store(access, reference, *place,
                  modify(op.getKind(), old, machine.of(op.getValue()).at(thread)));
  }
  return success();
}

void simt::addMemRefs(Table &table) {
  table.add<memref::AllocOp, executeAlloc<memref::AllocOp, false>>();
  table.add<memref::AllocaOp, executeAlloc<memref::AllocaOp, true>>();
  table.add<memref::DeallocOp, executeDealloc>();
  table.add<memref::GetGlobalOp, executeGetGlobal>();
  table.add<memref::LoadOp, executeLoad>();
  table.add<memref::StoreOp, executeStore>();
  table.add<memref::AtomicRMWOp, executeAtomic>();
}
