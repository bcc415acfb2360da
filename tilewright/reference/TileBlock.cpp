// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/TileBlock.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/Access.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::Twine;

Element Launch::unspecifiedBits(Format format) {
  uint64_t bits = options.schedule == Schedule::Random ? random() : 0;
  return {bits & numerics::info(format).mask(), format};
}

TileBlock::TileBlock(Launch &launch, runtime::Block id, llvm::ArrayRef<Element> parameters)
    : ofLaunch(launch), blockId(id), registers(launch.program.registerCount()) {
  tile::EntryOp entry = launch.program.entry();
  mlir::Block &body = entry.getBody().front();
  for (auto [argument, parameter] : llvm::zip_equal(body.getArguments(), parameters))
    (void)define(argument, Tile::scalar(parameter));
  enter(entry, body);
}

LogicalResult TileBlock::step() {
  Activation &top = stack.back();
  const Instruction &instruction = (*top.body)[top.next++];
  // An operation may be done, and its result not yet where it was promised.
  if (delaysMemory(ofLaunch.options))
    resolve(instruction.op);
  const LaunchOptions &options = ofLaunch.options;
  if (options.cancelled && options.cancelled->load(std::memory_order_relaxed)) {
    ofLaunch.result.wasEnded = true;
    return llvm::failure();
  }
  Observer *observer = options.observer;
  if (!observer)
    return instruction.execute(*this, instruction.op);
  observer->beforeOperation(*this, instruction.op);
  if (observer->wantsEnd()) {
    ofLaunch.result.wasEnded = true;
    return llvm::failure();
  }
  LogicalResult result = instruction.execute(*this, instruction.op);
  observer->afterOperation(*this, instruction.op, result);
  return result;
}

void TileBlock::defineAll(mlir::ValueRange values, llvm::ArrayRef<Register> contents) {
  for (auto [value, content] : llvm::zip_equal(values, contents))
    (void)define(value, content);
}

llvm::SmallVector<Register> TileBlock::getAll(mlir::ValueRange values) const {
  return llvm::map_to_vector(values, [&](mlir::Value value) { return get(value); });
}

//===-- Bodies ------------------------------------------------------------------------------===//

Activation &TileBlock::enter(mlir::Operation *owner, mlir::Block &body) {
  return stack.emplace_back(Activation{owner, &ofLaunch.program.body(&body)});
}

static void releaseAllocas(Launch &launch, Activation &activation) {
  for (Allocation *allocation : activation.allocas) {
    launch.memory.release(*allocation);
    if (launch.races)
      launch.races->forget(*allocation);
  }
  activation.allocas.clear();
}

void TileBlock::leave() {
  releaseAllocas(ofLaunch, stack.back());
  stack.pop_back();
}

void TileBlock::startAgain(Turn turn) {
  Activation &loop = stack.back();
  releaseAllocas(ofLaunch, loop);
  loop.next = 0;
  ++loop.iteration;
  if (std::exchange(loop.communicates, false))
    turnTaken = turn;
}

void TileBlock::end() {
  while (!stack.empty())
    leave();
}

Activation &TileBlock::allocationScope() {
  // An `if` is no scope: what it allocates lives as long as the body around it.
  for (Activation &activation : llvm::reverse(stack))
    if (!llvm::isa<tile::IfOp>(activation.owner))
      return activation;
  llvm_unreachable("the outermost body is that of the entry");
}

//===-- Memory operations ---------------------------------------------------------------------===//

LogicalResult TileBlock::issue(MemoryOperation operation, mlir::Value result, mlir::Value token) {
  if (!operation.semantics.isWeak())
    for (Activation &activation : stack)
      activation.communicates = true;
  if (!delaysMemory(ofLaunch.options)) {
    performAll(*this, operation);
    if (result)
      (void)define(result, std::move(*operation.result));
    return define(token, Token{std::move(operation.knowledge)});
  }
  shuffle(operation.runs, ofLaunch.random);
  operation.iterations = iterations();
  // Registers may hold something else by the time that the elements are stored.
  if (operation.effect == Effect::Store)
    reportStored(*this, operation);
  auto shared = std::make_shared<MemoryOperation>(std::move(operation));
  pendingOperations.push_back(shared);
  if (result)
    (void)define(result, PendingTile{shared});
  return define(token, Token{{}, {shared}});
}

void TileBlock::advance(SharedOperation operation) {
  performNext(*this, *operation);
  if (operation->isDone())
    llvm::erase(pendingOperations, operation);
}

void TileBlock::complete(SharedOperation operation) {
  if (operation->isDone())
    return;
  settle(operation->before);
  while (!operation->isDone())
    advance(operation);
}

void TileBlock::completeAll() {
  while (!pendingOperations.empty())
    complete(pendingOperations.front());
}

void TileBlock::settle(Token &token) {
  for (const SharedOperation &operation : token.pending) {
    complete(operation);
    token.knowledge.join(operation->knowledge);
  }
  token.pending.clear();
}

/// Performs what the operation needs the results of. Those that only hand values on need
/// none, so that accesses can be delayed across loops and branches.
void TileBlock::resolve(mlir::Operation *op) {
  // What is allocated must not die while it is waited for.
  if (op->hasTrait<mlir::OpTrait::IsTerminator>()) {
    if (llvm::any_of(stack, [](const Activation &a) { return !a.allocas.empty(); }))
      completeAll();
    return;
  }
  auto force = [&](mlir::Value value) {
    Register &content = registers[ofLaunch.program.registerOf(value)];
    auto *promised = std::get_if<PendingTile>(&content);
    if (!promised)
      return;
    SharedOperation operation = promised->operation;
    complete(operation);
    content = *operation->result;
  };
  // The bodies of reduce and scan run within them, and may use values from outside.
  if (tile::isAggregate(op)) {
    op->walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
          force(operand);
    });
    return;
  }
  // Loops hand their initial values on.
  size_t used = llvm::isa<tile::LoopOp>(op) ? 0 : llvm::isa<tile::ForOp>(op) ? 3 : ~size_t(0);
  for (mlir::Value operand :
       op->getOperands().take_front(std::min(used, size_t(op->getNumOperands()))))
    force(operand);
}

//===-- Complaints ----------------------------------------------------------------------------===//

llvm::StringRef reference::nameOf(mlir::Operation *op) { return op->getName().stripDialect(); }

std::string TileBlock::blockText() const {
  return ("block (" + Twine(blockId.x) + ", " + Twine(blockId.y) + ", " + Twine(blockId.z) + "): ")
      .str();
}

Finding TileBlock::finding(FindingKind kind, mlir::Operation *op, const Twine &message) const {
  Finding finding{kind, op->getLoc(), blockText() + message.str()};
  finding.kernel = ofLaunch.program.entry().getSymName().str();
  finding.block = blockId;
  finding.operation = nameOf(op).str();
  finding.op = op;
  finding.iterations = iterations();
  return finding;
}

std::vector<Iteration> TileBlock::iterations() const {
  std::vector<Iteration> result;
  for (const Activation &activation : stack) {
    auto counted = llvm::dyn_cast<tile::ForOp>(activation.owner);
    if (!counted && !llvm::isa<tile::LoopOp>(activation.owner))
      continue;
    Iteration iteration{activation.owner->getLoc(), activation.iteration, std::nullopt};
    if (counted)
      iteration.inductionValue =
          counted.getUnsignedCmp()
              ? llvm::APSInt::getUnsigned(activation.inductionValue.asUnsigned())
              : llvm::APSInt::get(activation.inductionValue.asSigned());
    result.push_back(iteration);
  }
  return result;
}

mlir::Operation *TileBlock::innermostLoop() const {
  for (const Activation &activation : llvm::reverse(stack))
    if (tile::isLoop(activation.owner))
      return activation.owner;
  return nullptr;
}

void TileBlock::explainWait(Finding &finding) {
  if (!polled)
    return;
  Allocation *allocation = memory().allowed(polled->place, 1, AccessKind::Read, blockId.number);
  if (!allocation)
    return;
  std::string element = allocation->name + allocation->elementText(polled->place);
  finding.array = allocation->name;
  finding.arrayElement = allocation->elementAt(polled->place);
  finding.related.push_back(
      {polled->op->getLoc(), ("waits here: " + nameOf(polled->op) + " reads " + element +
                              ", which is " + numerics::toString(load(*allocation, polled->place)))
                                 .str()});
}

void TileBlock::addStepLimit() {
  const LaunchOptions &options = ofLaunch.options;
  std::string what = ofLaunch.stepsAfterError > options.maxStepsAfterError
                         ? "still running " + std::to_string(options.maxStepsAfterError) +
                               " operations after the first error of the launch, the limit. "
                               "Does it wait for what the error prevents?"
                         : "still running after " + std::to_string(options.maxSteps) +
                               " operations of the launch, the limit. Does it loop for ever?";
  Finding made = finding(FindingKind::StepLimit, position(), what);
  if (polled && innermostLoop() && innermostLoop()->isProperAncestor(polled->op))
    explainWait(made);
  add(std::move(made));
}

bool TileBlock::complain(Check check, mlir::Operation *op, const Twine &what) {
  Finding made = finding(FindingKind::Misbehaviour, op, nameOf(op) + ": " + what);
  made.rule = &ruleOf(check);
  return complain(std::move(made));
}

bool TileBlock::complain(Finding finding) {
  if (!ofLaunch.options.checks.has(*checkOf(finding)))
    return true;
  add(std::move(finding));
  return false;
}

bool TileBlock::reportOnce(Check check, mlir::Operation *op, const Twine &what) {
  if (!ofLaunch.options.checks.has(check) || ofLaunch.isReported(op, check))
    return ofLaunch.options.checks.has(check);
  Finding made = finding(FindingKind::Misbehaviour, op, nameOf(op) + ": " + what);
  made.rule = &ruleOf(check);
  return reportOnce(std::move(made));
}

bool TileBlock::reportOnce(Finding finding) {
  if (!ofLaunch.options.checks.has(*checkOf(finding)))
    return false;
  if (ofLaunch.reported.insert({finding.op, unsigned(*checkOf(finding))}).second)
    add(std::move(finding));
  return true;
}

LogicalResult TileBlock::unsupported(mlir::Operation *op, const Twine &what) {
  add(finding(FindingKind::Unsupported, op,
              nameOf(op) + ": " + what + " is not supported by the reference machine"));
  return llvm::failure();
}

void TileBlock::rememberBreach(mlir::Operation *op, llvm::ArrayRef<const Tile *> operands,
                               std::optional<int64_t> unspecified,
                               std::optional<int64_t> undefined) {
  Breaches &kept = breaches[op];
  kept = {{}, unspecified, undefined};
  for (const Tile *operand : operands)
    kept.operands.push_back(*operand);
}

const TileBlock::Breaches *TileBlock::breachesOf(mlir::Operation *op) const {
  auto found = breaches.find(op);
  return found == breaches.end() ? nullptr : &found->second;
}

Finding TileBlock::undefinedUse(mlir::Operation *op, mlir::Value value, int64_t element,
                                const Twine &use) const {
  std::string where = support::coordinateText(tile(value).shape(), element);
  Finding made = finding(FindingKind::Misbehaviour, op,
                         nameOf(op) + ": " + use + " is undefined" +
                             (where.empty() ? "" : ", element " + where));
  made.rule = &ruleOf(Check::Undefined);
  made.element = where;
  explain(made, value, element);
  return made;
}

LogicalResult TileBlock::requireDefined(mlir::Operation *op, mlir::Value value, const Twine &use) {
  std::optional<int64_t> poison = tile(value).firstPoison();
  return llvm::success(!poison || complain(undefinedUse(op, value, *poison, use)));
}

/// One use may have values of several origins, and each is worth a finding; but not of thousands.
static constexpr unsigned mostReportsOfUse = 16;

bool TileBlock::wantsUse(mlir::Operation *op, Check check) const {
  // Without the check itself, only what arithmetic has made is reported, by another name.
  return (ofLaunch.options.checks.has(check) || !breaches.empty()) &&
         !ofLaunch.isReported(op, check) &&
         ofLaunch.reportedUses.lookup({op, unsigned(check)}) < mostReportsOfUse;
}

bool TileBlock::isUseReported(mlir::Operation *op, Check check) const {
  return ofLaunch.isReported(op, check) || ofLaunch.reportedUses.contains({op, unsigned(check)});
}

bool TileBlock::reportUse(mlir::Operation *op, Check check, Finding finding) {
  bool isReported = reportOnce(std::move(finding));
  if (isReported)
    ++ofLaunch.reportedUses[{op, unsigned(check)}];
  return isReported;
}

void TileBlock::expectDefined(mlir::Operation *op, mlir::Value value, const Twine &use) {
  std::optional<int64_t> poison = tile(value).firstPoison();
  if (poison && wantsUse(op, Check::Undefined))
    reportUse(op, Check::Undefined, undefinedUse(op, value, *poison, use));
}

void TileBlock::reportOutput(mlir::Operation *op, mlir::Value value, int64_t element, Mark mark,
                             llvm::function_ref<Finding(llvm::StringRef kind)> makeFinding) {
  bool isUndefined = mark == Mark::Undefined;
  Check check = isUndefined ? Check::Undefined : Check::Unspecified;
  if (!wantsUse(op, check))
    return;
  Finding made = makeFinding(isUndefined ? "undefined" : "unspecified");
  made.rule = &ruleOf(check);
  if (!isUndefined)
    made.kind = FindingKind::UnspecifiedValue;
  explain(made, value, element, mark);
  reportUse(op, check, std::move(made));
}
