// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Networks.h. An operation joins the current lane-shuffle program (`Network`) if its tiles can
// be cut into pieces that are rearranged alike, and the work for one piece fits into registers. The
// program ends before an operation that reads its results and cannot join.

#include "tilewright/cpu/plan/Networks.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/NetworkSteps.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

//===-- Candidates ----------------------------------------------------------------------------===//

static int64_t countOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getNumElements();
}

/// Words of 4 or 8 bytes. LLVM's instruction selection may not terminate for shuffles of bytes
/// (codegen/workarounds/ByteShuffles.cpp); words of 2 bytes have not been tried.
static bool isWide(mlir::Type element) {
  mlir::Type type = elementwise::registerType(element);
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 32;
}

static mlir::Type elementOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getElementType();
}

/// Whether pieces of the result come from pieces of the operands, and all are rearranged alike.
static bool movesPieces(ArrayRef<MovedElement> moves, int64_t pieces) {
  int64_t size = moves.size() / pieces;
  for (auto [number, move] : llvm::enumerate(moves)) {
    int64_t count = countOf(move.from), piece = number / size;
    if (count == 1)
      continue;
    const MovedElement &first = moves[number % size];
    if (count % pieces != 0 || move.from != first.from ||
        move.element != first.element + piece * (count / pieces) || first.element >= count / pieces)
      return false;
  }
  return true;
}

static bool repeatsElements(Operation *op) {
  auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op);
  return moved && moved.repeatsElements();
}

/// Whether the operation rearranges elements between lanes. Other operations move whole vectors, or
/// repeat elements.
static bool movesLanes(Operation *op, ArrayRef<MovedElement> moves, int64_t lanes) {
  return !repeatsElements(op) && llvm::any_of(llvm::enumerate(moves), [&](auto entry) {
    auto [number, move] = entry;
    return countOf(move.from) > 1 && move.element % lanes != int64_t(number) % lanes;
  });
}

/// Whether the block may have a lane-shuffle program: avoids tracking all rearrangements of most
/// kernels.
static bool hasLaneMoves(mlir::Block &block, const Target &target) {
  return llvm::any_of(block, [&](Operation &op) {
    if (llvm::isa<tile::ReshapeOp>(op) || repeatsElements(&op) || isTranspose(&op) ||
        op.getNumResults() != 1 || !tileTypeOf(op.getResult(0)) ||
        countOf(op.getResult(0)) > target.tuning.mostTrackedElements)
      return false;
    auto moves = movesOf(&op);
    return moves && movesLanes(&op, *moves, target.vectorBytes / 4);
  });
}

namespace {
/// An operation that may be a member.
struct Candidate {
  Operation *op;
  /// The sources of the result's elements; none for an elementwise operation.
  std::optional<std::vector<MovedElement>> moves;
  Value result() const { return op->getResult(0); }
};

/// How tiles are cut into pieces and vectors.
struct Cut {
  int64_t elements = 0, wordBytes = 4; ///< Of the largest tile, and of the widest word.
  int64_t pieces = 1, lanes = 1;

  void include(const Candidate &candidate, const Target &target);
  bool operator==(const Cut &) const = default;
};

/// Builds the lane-shuffle programs of one basic block.
class NetworkBuilder {
public:
  explicit NetworkBuilder(const Target &target) : target(target) {}

  void visit(Operation *op);
  void close();

  std::vector<Network> networks;

private:
  std::optional<Candidate> candidateOf(Operation *op) const;
  bool isMade(Value value) const { return made.contains(value); }
  bool readsMembers(Operation *op) const;
  bool isCut(const Candidate &candidate) const;
  bool addSteps(const Candidate &candidate);
  bool tryToJoin(Candidate &candidate);
  bool tryToJoin(Operation *op);
  bool isWorthWhile() const;
  void chooseOwned();
  llvm::DenseSet<Operation *> neededMembers() const;
  std::optional<Network> makeNetwork();

  const Target &target;
  std::vector<Candidate> members;
  llvm::DenseSet<Value> made;
  llvm::DenseSet<Operation *> owned;
  Cut cut;
  std::optional<NetworkSteps> steps;
};
} // namespace

std::optional<Candidate> NetworkBuilder::candidateOf(Operation *op) const {
  if (op->getNumResults() != 1 || !tileTypeOf(op->getResult(0)) ||
      countOf(op->getResult(0)) > target.tuning.mostTrackedElements || isTranspose(op))
    return std::nullopt;
  Candidate candidate{op, movesOf(op)};
  auto isTile = [](Value value) { return llvm::isa<tile::TileType>(value.getType()); };
  if (!candidate.moves &&
      (!llvm::isa<tile::ElementwiseOpInterface>(op) || !llvm::all_of(op->getOperands(), isTile)))
    return std::nullopt;
  bool isWideResult = isWide(elementOf(candidate.result()));
  if (candidate.moves ? !isWideResult
                      : !isWideResult && !elementOf(candidate.result()).isInteger(1))
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    bool isMoved = candidate.moves || isWide(elementOf(operand)) || isMade(operand) ||
                   llvm::isa_and_present<tile::ConstantOp>(operand.getDefiningOp());
    // A `cat`'s operand from outside would be computed into the result's buffer.
    if (!isMoved || (!isMade(operand) && tileTypeOf(operand) && catOf(operand)))
      return std::nullopt;
  }
  return candidate;
}

/// Whether members may be moved past the operation: it changes no buffer in place, as loops do with
/// carried tiles. Members before the operation run after it.
static bool isTransparent(Operation *op) {
  if (llvm::isa<tile::MemoryAccessOpInterface>(op) || tile::isAggregate(op))
    return true;
  return op->getNumRegions() == 0 && tile::onlyComputes(op) &&
         !llvm::isa<tile::MatmulOpInterface>(op);
}

bool NetworkBuilder::readsMembers(Operation *op) const {
  bool reads = false;
  op->walk([&](Operation *inner) {
    reads |= llvm::any_of(inner->getOperands(), [&](Value value) { return isMade(value); });
  });
  return reads;
}

/// Whether pieces of the member's tiles consist of whole vectors, and are all rearranged alike.
bool NetworkBuilder::isCut(const Candidate &candidate) const {
  auto isWhole = [&](Value value) {
    return countOf(value) == 1 || countOf(value) % (cut.pieces * cut.lanes) == 0;
  };
  if (countOf(candidate.result()) == 1 || !isWhole(candidate.result()))
    return false;
  if (candidate.moves)
    return movesPieces(*candidate.moves, cut.pieces) &&
           llvm::all_of(*candidate.moves, [&](auto &move) { return isWhole(move.from); });
  return true;
}

bool NetworkBuilder::addSteps(const Candidate &candidate) {
  return isCut(candidate) &&
         (candidate.moves ? steps->addMove(candidate.op, *candidate.moves)
                          : steps->addCompute(candidate.op)) &&
         steps->cost() <= target.tuning.mostShuffleWork;
}

/// The most vectors in a piece of the largest tile.
static int64_t mostVectors(const Target &target) {
  const Tuning &tuning = target.tuning;
  return target.vectorBytes == 32 ? tuning.shuffledVectorsOfAvx2 : tuning.shuffledVectors;
}

/// Updates the cut so that it suits the tiles of this operation, too.
void Cut::include(const Candidate &candidate, const Target &target) {
  SmallVector<Value> tiles(candidate.op->getOperands());
  tiles.push_back(candidate.result());
  for (Value value : tiles) {
    elements = std::max(elements, countOf(value));
    wordBytes = std::max(wordBytes, elementwise::wordBytes(elementOf(value)));
  }
  lanes = target.vectorBytes / wordBytes;
  pieces = std::max<int64_t>(1, elements / (mostVectors(target) * lanes));
}

bool NetworkBuilder::tryToJoin(Candidate &candidate) {
  Cut before = cut;
  cut.include(candidate, target);
  bool fits = true;
  if (!steps || cut != before) {
    steps.emplace(cut.pieces, cut.lanes, target.tuning);
    fits = llvm::all_of(members, [&](const Candidate &member) { return addSteps(member); });
  }
  if (!fits || !addSteps(candidate)) {
    cut = before;
    steps.reset(); // it was changed
    return false;
  }
  made.insert(candidate.result());
  members.push_back(std::move(candidate));
  return true;
}

bool NetworkBuilder::tryToJoin(Operation *op) {
  std::optional<Candidate> candidate = candidateOf(op);
  return candidate && (candidate->moves || readsMembers(op)) && tryToJoin(*candidate);
}

void NetworkBuilder::visit(Operation *op) {
  if (tryToJoin(op) || (isTransparent(op) && !readsMembers(op)))
    return;
  close();
  tryToJoin(op); // or begin the next program
}

//===-- Networks ------------------------------------------------------------------------------===//

/// Whether the program computes, and some rearrangement moves elements between lanes.
bool NetworkBuilder::isWorthWhile() const {
  bool computes = llvm::any_of(members, [](const Candidate &member) { return !member.moves; });
  return computes && llvm::any_of(members, [&](const Candidate &member) {
           return member.moves && movesLanes(member.op, *member.moves, cut.lanes);
         });
}

/// Chooses the members whose results the program defines: computations, rearrangements of their
/// results, and rearrangements that only such members use.
void NetworkBuilder::chooseOwned() {
  owned.clear();
  for (const Candidate &member : members)
    if (!member.moves || llvm::any_of(member.op->getOperands(), [&](Value value) {
          return owned.contains(value.getDefiningOp());
        }))
      owned.insert(member.op);
  for (const Candidate &member : llvm::reverse(members))
    if (llvm::all_of(member.op->getUsers(), [&](Operation *user) { return owned.contains(user); }))
      owned.insert(member.op);
}

/// Members whose elements the program needs.
llvm::DenseSet<Operation *> NetworkBuilder::neededMembers() const {
  llvm::DenseSet<Operation *> needed = owned;
  for (const Candidate &member : llvm::reverse(members))
    if (llvm::any_of(member.op->getUsers(), [&](Operation *user) { return needed.contains(user); }))
      needed.insert(member.op);
  return needed;
}

std::optional<Network> NetworkBuilder::makeNetwork() {
  llvm::DenseSet<Operation *> needed = neededMembers();
  Network network{{}, cut.pieces, cut.lanes, {}, {}};
  NetworkSteps all(cut.pieces, cut.lanes, target.tuning);
  for (const Candidate &member : members) {
    if (!needed.contains(member.op))
      continue;
    bool fits = member.moves ? all.addMove(member.op, *member.moves) : all.addCompute(member.op);
    if (!fits)
      return std::nullopt;
    if (!owned.contains(member.op))
      continue;
    network.members.push_back(member.op);
    if (llvm::all_of(member.op->getUsers(), [&](Operation *user) { return owned.contains(user); }))
      continue;
    if (catOf(member.result())) // would be computed into another tile's buffer
      return std::nullopt;
    network.results.push_back(member.result());
  }
  auto steps = all.take(network.results);
  if (!steps)
    return std::nullopt;
  network.steps = std::move(*steps);
  return network;
}

void NetworkBuilder::close() {
  // Computations after the last rearrangement are left to the loops of their users.
  while (!members.empty() && !members.back().moves)
    members.pop_back();
  if (!members.empty() && isWorthWhile()) {
    chooseOwned();
    if (auto network = makeNetwork())
      networks.push_back(std::move(*network));
  }
  members.clear();
  made.clear();
  cut = {};
  steps.reset();
}

//===-- All networks of an entry --------------------------------------------------------------===//

SmallVector<Value> Network::inputs() const {
  llvm::SmallSetVector<Value, 4> inputs;
  for (const NetworkStep &step : steps) {
    bool isOneElement = step.kind == NetworkStep::Kind::Splat && tileTypeOf(step.value) &&
                        !step.value.getDefiningOp<tile::ConstantOp>();
    if (step.kind == NetworkStep::Kind::Load || isOneElement)
      inputs.insert(step.value);
  }
  return inputs.takeVector();
}

NetworkPlan::NetworkPlan(const OperationOrder &order, const Target &target) {
  llvm::SetVector<mlir::Block *> blocks;
  for (Operation *op : order.operations())
    if (!tile::isAggregate(op->getParentOp()))
      blocks.insert(op->getBlock());
  NetworkBuilder builder(target);
  for (mlir::Block *block : blocks) {
    if (!hasLaneMoves(*block, target))
      continue;
    for (Operation &op : *block)
      builder.visit(&op);
    builder.close();
  }
  networks = std::move(builder.networks);
  for (auto [number, network] : llvm::enumerate(networks)) {
    for (Operation *member : network.members)
      networkOfMember[member] = number;
    for (Value input : network.inputs())
      readers[input].push_back(network.members.back());
  }
}

const Network *NetworkPlan::networkOf(Operation *op) const {
  auto found = networkOfMember.find(op);
  return found == networkOfMember.end() ? nullptr : &networks[found->second];
}

bool NetworkPlan::isResult(Value value) const {
  const Network *network = networkOf(value.getDefiningOp());
  return network && llvm::is_contained(network->results, value);
}

Operation *NetworkPlan::placeOf(Operation *op) const {
  const Network *network = networkOf(op);
  return network ? network->members.back() : op;
}

ArrayRef<Operation *> NetworkPlan::readersOf(Value value) const {
  auto found = readers.find(value);
  return found == readers.end() ? ArrayRef<Operation *>() : ArrayRef<Operation *>(found->second);
}
