// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function. Everything unsupported is rejected before the first operation. Then the
// arguments are copied to memory and registers, the body is executed, and memory is copied back.

#include "tilewright/simt/Run.h"
#include "tilewright/layout/dialect/Register.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;
using support::Failure;
using support::Result;

void simt::registerDialects(DialectRegistry &registry) {
  layout::registerDialects(registry);
  registry.insert<nvgpu::NVGPUDialect>();
}

// ===-- Supported programs ---------------------------------------------------------------===//

static Failure at(Location where, const llvm::Twine &message) {
  return Failure{placeOf(where) + ": " + message.str()};
}

namespace {
/// The budget of elements for one value.
struct Room {
  int64_t threads, elements;
};
} // namespace

static Result<void> checkTypes(Location where, TypeRange types, Room room) {
  for (Type type : types) {
    Result<Contents> contents = contentsOf(type);
    if (!contents)
      return at(where, contents.failure().message);
    if (contents->count > room.elements / room.threads)
      return at(where, formatv("a value of type {0} in each of {1} threads has more elements than "
                               "the limit of {2}",
                               type, room.threads, room.elements));
  }
  return {};
}

/// Terminators of these kinds are executed by their parent operations.
static bool isKnownTerminator(Operation &op) {
  return llvm::isa<func::ReturnOp, gpu::YieldOp, scf::ConditionOp, scf::YieldOp, vector::YieldOp>(
      op);
}

static Result<void> checkOp(Operation &op, Room room) {
  if (!isKnownTerminator(op) && !meaningOf(op.getName()))
    return at(op.getLoc(), formatv("'{0}' cannot be executed", op.getName()));
  if (Result<void> types = checkTypes(op.getLoc(), op.getResultTypes(), room); !types)
    return types;
  for (Region &region : op.getRegions()) {
    if (!region.empty() && !region.hasOneBlock())
      return at(op.getLoc(), formatv("a region of '{0}' has {1} blocks; expected structured "
                                     "control flow",
                                     op.getName(), region.getBlocks().size()));
    for (Block &block : region)
      if (Result<void> types = checkTypes(op.getLoc(), block.getArgumentTypes(), room); !types)
        return types;
  }
  return {};
}

/// Checks the function and all functions that it calls. `callers` is the call stack, to reject
/// recursion.
static Result<void> check(func::FuncOp function, Room room, SmallVector<func::FuncOp> callers) {
  if (function.isExternal())
    return at(function.getLoc(), formatv("'{0}' has no body", function.getName()));
  if (llvm::is_contained(callers, function))
    return at(function.getLoc(), formatv("'{0}' calls itself", function.getName()));
  callers.push_back(function);
  Result<void> checked;
  const auto visit = [&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    checked = checkOp(*op, room);
    if (auto call = llvm::dyn_cast<func::CallOp>(op); checked && call)
      checked =
          check(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()),
                room, callers);
    return checked ? WalkResult::advance() : WalkResult::interrupt();
  };
  if (!function.getBody().hasOneBlock())
    return at(function.getLoc(),
              formatv("'{0}' has {1} blocks; expected structured control flow", function.getName(),
                      function.getBody().getBlocks().size()));
  if (Result<void> types = checkTypes(function.getLoc(), function.getArgumentTypes(), room); !types)
    return types;
  function->walk<WalkOrder::PreOrder>(visit);
  return checked;
}

static Result<void> checkWorkgroup(Workgroup workgroup) {
  for (int64_t extent : workgroup.threads)
    if (extent < 1 || extent > 4096 || workgroup.size() > 4096)
      return Failure{formatv("a workgroup of {0} x {1} x {2} threads; expected from 1 to 4096",
                             workgroup.threads[0], workgroup.threads[1], workgroup.threads[2])};
  if (workgroup.lanes < 1)
    return Failure{formatv("subgroups of {0} threads; expected 1 or more", workgroup.lanes)};
  return {};
}

//===-- Arguments ------------------------------------------------------------------------===//

static std::string spell(Type element, ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) + "x";
  return formatv("{0}{1}", text, element);
}

static bool fits(ArrayRef<int64_t> found, ArrayRef<int64_t> wanted) {
  return found.size() == wanted.size() && llvm::all_of(llvm::zip(found, wanted), [](auto both) {
           auto [found, wanted] = both;
           return found == wanted || (ShapedType::isDynamic(wanted) && found >= 0);
         });
}

static Result<void> checkArgument(Type type, const Buffer &buffer) {
  const auto shaped = llvm::dyn_cast<ShapedType>(type);
  const Type element = shaped ? shaped.getElementType() : type;
  const ArrayRef<int64_t> shape = shaped ? shaped.getShape() : ArrayRef<int64_t>();
  if (element != buffer.element || !fits(buffer.shape, shape))
    return Failure{formatv("expected {0}, but got {1}", spell(element, shape),
                           spell(buffer.element, buffer.shape))};
  if (int64_t(buffer.bits.size()) != buffer.count())
    return Failure{
        formatv("expected {0} elements, but got {1}", buffer.count(), buffer.bits.size())};
  const uint64_t mask = numerics::info(*formatOf(element)).mask();
  if (llvm::any_of(buffer.bits, [mask](uint64_t bits) { return bits & ~mask; }))
    return Failure{formatv("an element has more bits than {0}", element)};
  return {};
}

/// The reference for an argument: its strides are those of the type, and contiguous where the type
/// leaves them open.
static Result<Reference> referenceFor(MemRefType type, const Buffer &buffer) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return Failure{formatv("memory of type {0} has no strides", type)};
  const auto dense = support::rowMajorStrides<SmallVector<int64_t>>(buffer.shape);
  for (auto [stride, closest] : llvm::zip_equal(strides, dense))
    if (ShapedType::isDynamic(stride))
      stride = closest;
  // The first and the last place of an element. Computed in 128 bits, because strides may be any
  // numbers.
  __int128 least = ShapedType::isDynamic(offset) ? 0 : offset, last = least;
  for (auto [extent, stride] : llvm::zip_equal(buffer.shape, strides))
    (stride < 0 ? least : last) += __int128(extent - 1) * stride;
  if (buffer.count() > 0 && (least < 0 || last >= std::numeric_limits<int64_t>::max()))
    return Failure{formatv("memory of type {0} has elements {1}", type,
                           least < 0 ? "before its first place" : "beyond what 64 bits can count")};
  return Reference{0, ShapedType::isDynamic(offset) ? 0 : offset,
                   SmallVector<int64_t>(buffer.shape), SmallVector<int64_t>(strides)};
}

/// The place of element number `position` of an argument.
static int64_t placeIn(const Reference &reference, int64_t position) {
  int64_t place = reference.offset;
  for (auto [coordinate, stride] :
       llvm::zip_equal(support::coordinatesOf<SmallVector<int64_t>>(reference.sizes, position),
                       reference.strides))
    place += coordinate * stride;
  return place;
}

static Result<void> bindMemory(Machine &machine, BlockArgument argument, const Buffer &buffer) {
  Result<Reference> reference = referenceFor(llvm::cast<MemRefType>(argument.getType()), buffer);
  if (!reference)
    return reference.failure();
  const int64_t count = buffer.count();
  int64_t reach = count == 0 ? 0 : reference->offset + 1;
  for (auto [extent, stride] : llvm::zip_equal(reference->sizes, reference->strides))
    if (count > 0 && stride > 0)
      reach += (extent - 1) * stride;
  const auto format = *formatOf(buffer.element);
  // If elements are not contiguous, the places between them have no coordinates.
  const SmallVector<int64_t> flat = {reach};
  Result<unsigned> number =
      machine.allocate(formatv("argument {0}", argument.getArgNumber()), format,
                       reach == count ? ArrayRef<int64_t>(buffer.shape) : flat, reach);
  if (!number)
    return number.failure();
  reference->memory = *number;
  if (buffer.initialized)
    for (auto [position, bits] : llvm::enumerate(buffer.bits))
      machine.memory(*number).write(placeIn(*reference, position), Element{bits, format});
  machine.define(argument, true).references[0] = *reference;
  return {};
}

static Result<void> bind(Machine &machine, BlockArgument argument, const Buffer &buffer) {
  if (llvm::isa<MemRefType>(argument.getType()))
    return bindMemory(machine, argument, buffer);
  Register &value = machine.define(argument, true);
  value.bits = buffer.bits;
  std::fill(value.poison.begin(), value.poison.end(), !buffer.initialized);
  return {};
}

/// Elements that were not written keep their bits.
static void readBack(Machine &machine, BlockArgument argument, Buffer &buffer) {
  const Reference &reference = machine.of(argument).reference(0);
  Memory &memory = machine.memory(reference.memory);
  for (auto [position, bits] : llvm::enumerate(buffer.bits))
    if (const int64_t place = placeIn(reference, position); memory.isWritten(place))
      bits = memory.read(place).bits;
}

//===-- The run --------------------------------------------------------------------------===//

Result<Outcome> simt::run(func::FuncOp function, Workgroup workgroup,
                          llvm::MutableArrayRef<Buffer> arguments, RunLimits limits) {
  if (Result<void> checked = checkWorkgroup(workgroup); !checked)
    return checked.failure();
  if (Result<void> checked = check(function, {workgroup.size(), limits.elements}, {}); !checked)
    return checked.failure();
  if (function.getNumResults() != 0)
    return at(function.getLoc(),
              formatv("'{0}' returns {1} values; expected a function that leaves "
                      "them in memory",
                      function.getName(), function.getNumResults()));
  Block &body = function.getBody().front();
  if (arguments.size() != body.getNumArguments())
    return at(function.getLoc(),
              formatv("'{0}' has {1} parameters, but got {2} arguments", function.getName(),
                      body.getNumArguments(), arguments.size()));
  Machine machine(function, workgroup, limits);
  for (auto [argument, buffer] : llvm::zip_equal(body.getArguments(), arguments)) {
    Result<void> bound = checkArgument(argument.getType(), buffer);
    if (bound)
      bound = bind(machine, argument, buffer);
    if (!bound)
      return bound.failure().at(formatv("argument {0}", argument.getArgNumber()));
  }
  (void)machine.execute(body);
  if (machine.refusal)
    return *machine.refusal;
  for (auto [argument, buffer] : llvm::zip_equal(body.getArguments(), arguments))
    if (llvm::isa<MemRefType>(argument.getType()))
      readBack(machine, argument, buffer);
  return Outcome{std::move(machine.findings)};
}
