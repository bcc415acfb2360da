// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Origins.h.

#include "tilewright/reference/watch/Origins.h"
#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/watch/OriginText.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Loops.h"

#include <map>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::SmallVector;
using mlir::Value;

llvm::StringRef Origins::nameOf(Kind kind) {
  switch (kind) {
  case Kind::Nan:
    return "NaN";
  case Kind::Infinity:
    return "an infinity";
  case Kind::Imprecise:
    return "imprecise";
  case Kind::Unspecified:
    return "unspecified";
  }
  llvm_unreachable("every kind has a name");
}

std::optional<Origins::Kind> Origins::kindOf(Element element) const {
  if (!findsNonFinite)
    return std::nullopt;
  if (element.poison)
    return Kind::Unspecified;
  if (!numerics::info(element.format).isFloat())
    return std::nullopt;
  if (element.isNan())
    return Kind::Nan;
  return element.isInf() ? std::optional(Kind::Infinity) : std::nullopt;
}

std::optional<Origins::Kind> Origins::kindOf(const TileBlock &block, Source source) const {
  const Element element = elementOf(block, source);
  if (const std::optional<Kind> kind = kindOf(element))
    return kind;
  return hasShadow(element.format) && shadow.isFar(block, source) ? std::optional(Kind::Imprecise)
                                                                  : std::nullopt;
}

//===-- Origins -------------------------------------------------------------------------------===//

/// How many causes a finding lists.
static constexpr size_t mostCauses = 4;

Origins::Id Origins::add(TileBlock &block, mlir::Operation *op, Kind kind, Value value,
                         int64_t element, const llvm::Twine &what, llvm::ArrayRef<Id> causes) {
  Id &id = known[{op, unsigned(kind)}];
  if (id)
    return id;
  const llvm::ArrayRef<int64_t> shape = llvm::cast<tile::TileType>(value.getType()).getShape();
  Finding finding =
      block.finding(FindingKind::SuspiciousValue, op,
                    reference::nameOf(op) + ": " + elementPrefix(shape, element) + what);
  finding.rule = &ruleOf(kind == Kind::Imprecise ? Check::Precision : Check::Origin);
  finding.element = support::coordinateText(shape, element);
  for (Id cause : causes) {
    const Origin &earlier = origins[cause - 1];
    finding.related.push_back(
        {earlier.finding.location,
         (nameOf(earlier.kind) + " from here: " + earlier.finding.message).str()});
    llvm::append_range(finding.related, earlier.finding.related);
  }
  if (finding.related.size() > mostCauses)
    finding.related.erase(finding.related.begin() + mostCauses, finding.related.end());
  origins.push_back({kind, std::move(finding)});
  return id = Id(origins.size());
}

/// The origin of an element of this kind. One that no operation of the block has defined is a
/// parameter.
Origins::Id Origins::idOf(TileBlock &block, Source source, Kind kind) {
  const auto &ids = registers[&block];
  const auto found = ids.find(source.value);
  if (found != ids.end() && found->second[source.element])
    return found->second[source.element];
  mlir::Operation *op = source.value.getDefiningOp();
  return add(block, op ? op : source.value.getParentBlock()->getParentOp(), kind, source.value,
             source.element, "the argument is " + textOf(elementOf(block, source)));
}

/// `select` is unspecified if its condition is.
static SmallVector<Source> sourcesOfMark(const TileBlock &block, mlir::OpResult result,
                                         int64_t element) {
  SmallVector<Source> sources = sourcesOf(block, result, element);
  if (auto select = llvm::dyn_cast<tile::SelectOp>(result.getOwner()))
    sources.push_back({select.getCond(), element});
  return sources;
}

Origins::Id Origins::idOf(TileBlock &block, mlir::OpResult result, int64_t element, Kind kind) {
  const SmallVector<Source> sources = kind == Kind::Unspecified
                                          ? sourcesOfMark(block, result, element)
                                          : sourcesOf(block, result, element);
  SmallVector<Element> elements;
  SmallVector<Id> causes;
  for (const Source &source : sources) {
    elements.push_back(elementOf(block, source));
    const std::optional<Kind> other = kindOf(block, source);
    if (other == kind)
      return idOf(block, source, kind);
    if (!other)
      continue;
    const Id cause = idOf(block, source, *other);
    if (!llvm::is_contained(causes, cause))
      causes.push_back(cause);
  }
  mlir::Operation *op = result.getOwner();
  std::string made = kind == Kind::Unspecified ? nameOf(kind).str()
                                               : textOf(elementOf(block, Source{result, element}));
  if (kind == Kind::Imprecise)
    made += ", and " + inF64(shadow.at(block, {result, element}).value);
  return add(block, op, kind, result, element, reasonOf(op, elements, made), causes);
}

Origins::Id Origins::idOfLoaded(TileBlock &block, mlir::OpResult result, int64_t element,
                                Kind kind) {
  mlir::Operation *op = result.getOwner();
  const bool isUnspecified = kind == Kind::Unspecified;
  const std::string value = textOf(elementOf(block, Source{result, element}));
  const auto read = loaded.find(element);
  if (read == loaded.end()) // outside of the array, or disabled by the mask
    return add(block, op, kind, result, element,
               isUnspecified ? "nothing is read, and there is no padding"
                             : "the padding is " + value);
  const auto [id, place] = read->second;
  if (id)
    return id;
  const Allocation *from = block.memory().allowed(place, 1, AccessKind::Read, block.id().number);
  return add(
      block, op, kind, result, element,
      (from ? from->name + from->elementText(place) : "memory") +
          (isUnspecified ? " has no specified value" : " is " + value + " before the launch"));
}

void Origins::define(TileBlock &block, mlir::OpResult result) {
  registers[&block].erase(result);
  const auto *tile = std::get_if<Tile>(&block.get(result));
  if (!tile || !(numerics::info(tile->format()).isFloat() || tile->firstPoison()))
    return;
  if (hasShadow(tile->format()))
    shadow.define(block, result);
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(result.getOwner());
  Ids made;
  for (int64_t element = 0; element < tile->size(); ++element) {
    const std::optional<Kind> kind = kindOf(block, {result, element});
    if (!kind)
      continue;
    made.resize(tile->size());
    made[element] =
        access ? idOfLoaded(block, result, element, *kind) : idOf(block, result, element, *kind);
  }
  if (!made.empty())
    registers[&block][result] = std::move(made);
}

//===-- Control flow --------------------------------------------------------------------------===//

void Origins::passOn(TileBlock &block, mlir::ValueRange from, llvm::ArrayRef<mlir::ValueRange> to) {
  if (findsFar)
    shadow.passOn(block, from, to);
  auto &ids = registers[&block];
  SmallVector<Ids> passed;
  for (Value value : from) {
    const auto found = ids.find(value);
    passed.push_back(found == ids.end() ? Ids() : found->second);
  }
  for (mlir::ValueRange targets : to)
    for (auto [target, made] : llvm::zip_equal(targets, passed))
      if (made.empty())
        ids.erase(target);
      else
        ids[target] = made;
}

/// Whether the operation only passes values on.
bool Origins::passOnAll(TileBlock &block, mlir::Operation *op) {
  mlir::Operation *owner = op->getParentOp();
  if (llvm::isa<tile::BreakOp, tile::ContinueOp>(op))
    while (llvm::isa<tile::IfOp>(owner))
      owner = owner->getParentOp();
  if (llvm::isa<tile::IfOp>(op))
    return true;
  if (auto loop = llvm::dyn_cast<tile::ForOp>(op))
    passOn(block, loop.getInitValues(), {loop.iterArgs(), loop.getResultValues()});
  else if (auto loop = llvm::dyn_cast<tile::LoopOp>(op))
    passOn(block, loop.getInitValues(), {loop.body()->getArguments()});
  else if (llvm::isa<tile::YieldOp, tile::BreakOp>(op))
    passOn(block, op->getOperands(), {owner->getResults()});
  else if (auto loop = llvm::dyn_cast<tile::ForOp>(owner); loop && llvm::isa<tile::ContinueOp>(op))
    passOn(block, op->getOperands(), {loop.iterArgs(), loop.getResultValues()});
  else if (auto loop = llvm::dyn_cast<tile::LoopOp>(owner); loop && llvm::isa<tile::ContinueOp>(op))
    passOn(block, op->getOperands(), {loop.body()->getArguments()});
  else
    return llvm::isa<tile::ReturnOp>(op);
  return true;
}

void Origins::afterOperation(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome) {
  noteReports(block, op);
  if (llvm::succeeded(outcome) && !passOnAll(block, op))
    for (mlir::OpResult result : op->getResults())
      define(block, result);
  loaded.clear();
}

//===-- Memory --------------------------------------------------------------------------------===//

/// The two f4E2M1FN elements of a byte have different keys.
static uint64_t keyOf(Place place) { return 2 * place.address + place.isUpperHalf; }

/// The place will hold a value; it is kept if its id is not 0.
void Origins::put(TileBlock &block, const MemoryOperation &operation, Place place, Stored stored) {
  if (hasShadow(place.format))
    shadow.onStore(place, stored.value, stored.shadow);
  stored.allocation =
      stored.id ? block.memory().allowed(place, 1, AccessKind::Write, block.id().number) : nullptr;
  stored.place = place;
  stored.store = operation.op;
  if (stored.allocation)
    memory[keyOf(place)] = stored;
  else
    memory.erase(keyOf(place));
}

void Origins::onStore(TileBlock &block, const MemoryOperation &operation, Source operand,
                      Place place) {
  Stored stored{};
  stored.value = (*operation.operand)[operand.element];
  stored.mark = operation.operand->markOf(operand.element);
  stored.shadow = hasShadow(place.format) ? shadow.at(block, operand) : ShadowOf{0};
  if (const std::optional<Kind> kind = kindOf(block, operand)) {
    stored.id = idOf(block, operand, *kind);
    stored.counts = kind != Kind::Imprecise || shadow.isFarInTile(block, operand);
  }
  put(block, operation, place, stored);
}

/// The origin of what a read-modify-write leaves in memory.
Origins::Id Origins::idOfUpdated(TileBlock &block, const MemoryOperation &operation, Source operand,
                                 Id old, Kind kind, llvm::ArrayRef<Element> operands) {
  if (kindOf(operands[1]) == kind)
    return idOf(block, operand, kind);
  if (old && origins[old - 1].kind == kind)
    return old;
  return add(block, operation.op, kind, operand.value, operand.element,
             "memory holds " + textOf(operands[0]) + ", and the update by " + textOf(operands[1]) +
                 " makes it " + (kind == Kind::Nan ? "NaN" : "infinite"));
}

/// In memory, the shadow of a sum is the sum of the shadows; other updates begin anew. Marks are
/// not followed through updates.
void Origins::onUpdate(TileBlock &block, const MemoryOperation &operation, Source operand,
                       Place place, Id old) {
  const Allocation *in = block.memory().allowed(place, 1, AccessKind::Write, block.id().number);
  if (!in)
    return;
  const Element before = withoutMark(load(*in, place));
  const Element given = (*operation.operand)[operand.element];
  const bool isSwap = operation.effect == Effect::CompareSwap;
  if (isSwap && before.bits != (*operation.expected)[operand.element].bits)
    return;
  if (!numerics::info(place.format).isFloat()) {
    memory.erase(keyOf(place));
    return;
  }
  Stored stored{};
  stored.value =
      isSwap
          ? given
          : combine(operation.mode, {before}, elementOf(*operation.operand, operand.element)).bits;
  stored.shadow = {stored.value.asDouble()};
  if (findsFar && operation.mode == tile::AtomicRMWMode::AddF && !isSwap) {
    const ShadowOf sum = shadow.inMemory(place, before), added = shadow.at(block, operand);
    stored.shadow = {sum.value + added.value, std::min(sum.digits, added.digits)};
  }
  if (const std::optional<Kind> kind = kindOf(stored.value)) {
    stored.id = idOfUpdated(block, operation, operand, old, *kind, {before, given});
    stored.counts = true;
  }
  put(block, operation, place, stored);
}

void Origins::access(TileBlock &block, const MemoryOperation &operation, Source operand,
                     Place place) {
  if (operation.effect == Effect::Store)
    return onStore(block, operation, operand, place);
  const auto stored = memory.find(keyOf(place));
  const Id old = stored == memory.end() ? 0 : stored->second.id;
  loaded[operand.element] = {old, place};
  const Value result = llvm::cast<tile::MemoryAccessOpInterface>(operation.op).getLoaded();
  if (hasShadow(place.format) && result)
    if (const Allocation *from =
            block.memory().allowed(place, 1, AccessKind::Read, block.id().number))
      shadow.onLoad(block, result, operand.element, place, withoutMark(load(*from, place)));
  if (operation.effect != Effect::Load)
    onUpdate(block, operation, operand, place, old);
}

void Origins::onAccess(TileBlock &block, const MemoryOperation &operation, const Segment &segment) {
  const Value stored = llvm::cast<tile::MemoryAccessOpInterface>(operation.op).getStored();
  for (int64_t number = 0; number < segment.count; ++number)
    access(block, operation, {stored, segment.element + number}, segment.at(number));
}

//===-- Findings ------------------------------------------------------------------------------===//

static Check checkFor(Mark mark) {
  return mark == Mark::Undefined ? Check::Undefined : Check::Unspecified;
}

void Origins::noteReports(const TileBlock &block, mlir::Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  if (!access || !access.getStored())
    return;
  for (Check check : {Check::Undefined, Check::Unspecified})
    if (isUseReported(block, op, check))
      reported.insert({op, unsigned(check)});
}

bool Origins::isReported(const Stored &stored) const {
  return origins[stored.id - 1].kind == Kind::Unspecified &&
         reported.contains({stored.store, unsigned(checkFor(stored.mark))});
}

/// The finding for the elements of an array that have one origin, the first of which is given.
Finding Origins::findingOf(const Stored &first, int64_t count) const {
  const Origin &origin = origins[first.id - 1];
  Finding finding = origin.finding;
  finding.array = first.allocation->name;
  finding.arrayElement = first.allocation->elementAt(first.place);
  const std::string where = first.allocation->name + first.allocation->elementText(first.place);
  const std::string kind = nameOf(origin.kind).str();
  std::string what =
      count == 1 ? where + " is " + kind
                 : std::to_string(count) + " elements are " + kind + ", the first is " + where;
  if (origin.kind == Kind::Imprecise)
    what += ": " + textOf(first.value) + ", and " + inF64(first.shadow.value);
  finding.related.insert(finding.related.begin(), {first.store->getLoc(), what});
  return finding;
}

std::vector<Finding> Origins::findings() const {
  struct Elements {
    int64_t count = 0, first = 0;
    const Stored *stored = nullptr;
  };
  std::map<std::pair<Id, uint64_t>, Elements> byArray;
  for (const auto &[place, stored] : memory) {
    const Allocation &array = *stored.allocation;
    if (!array.isHost || !stored.counts || isReported(stored) ||
        reference::load(array, stored.place).bits != stored.value.bits)
      continue; // other bytes were stored over it
    Elements &elements = byArray[{stored.id, array.address}];
    const int64_t element = array.elementAt(stored.place);
    if (elements.count++ == 0 || element < elements.first) {
      elements.first = element;
      elements.stored = &stored;
    }
  }
  std::vector<Finding> findings;
  for (const auto &[key, elements] : byArray)
    findings.push_back(findingOf(*elements.stored, elements.count));
  return findings;
}
