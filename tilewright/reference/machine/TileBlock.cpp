// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::Twine;

TileBlock::TileBlock(Launch &launch, runtime::Block id, llvm::ArrayRef<Element> parameters)
    : ofLaunch(launch), blockId(id), registers(launch.program.registerCount()) {
  tile::EntryOp entry = launch.program.entry();
  mlir::Block &body = entry.getBody().front();
  for (auto [argument, parameter] : llvm::zip_equal(body.getArguments(), parameters))
    (void)define(argument, Tile::scalar(parameter));
  enter(entry, body);
}

void TileBlock::defineAll(mlir::ValueRange values, llvm::ArrayRef<Register> contents) {
  for (auto [value, content] : llvm::zip_equal(values, contents))
    (void)define(value, content);
}

llvm::SmallVector<Register> TileBlock::getAll(mlir::ValueRange values) const {
  return llvm::map_to_vector(values, [&](mlir::Value value) { return get(value); });
}

//===-- Bodies ------------------------------------------------------------------------------===//

Frame &TileBlock::enter(mlir::Operation *owner, mlir::Block &body) {
  Frame &frame = stack.emplace_back(Frame{owner, &ofLaunch.program.body(&body)});
  frame.changesBefore = ofLaunch.changes;
  return frame;
}

static void releaseAllocas(Launch &launch, Frame &frame) {
  for (Allocation *allocation : frame.allocas) {
    launch.memory.release(*allocation);
    if (launch.races)
      launch.races->forget(*allocation);
  }
  frame.allocas.clear();
}

void TileBlock::leave() {
  releaseAllocas(ofLaunch, stack.back());
  stack.pop_back();
}

void TileBlock::startAgain(Restart how) {
  Frame &loop = stack.back();
  releaseAllocas(ofLaunch, loop);
  loop.next = 0;
  ++loop.iteration;
  loop.changesBefore = ofLaunch.changes;
  loop.syncsWithHost = false;
  if (std::exchange(loop.communicates, false))
    restart = how;
}

void TileBlock::end() {
  while (!stack.empty())
    leave();
}

Frame &TileBlock::allocationScope() {
  // An `if` is not a scope: its allocas live as long as the enclosing body.
  for (Frame &frame : llvm::reverse(stack))
    if (!llvm::isa<tile::IfOp>(frame.owner))
      return frame;
  llvm_unreachable("the outermost body is that of the entry");
}

//===-- Findings ------------------------------------------------------------------------------===//

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
  for (const Frame &frame : stack) {
    auto counted = llvm::dyn_cast<tile::ForOp>(frame.owner);
    if (!counted && !llvm::isa<tile::LoopOp>(frame.owner))
      continue;
    Iteration iteration{frame.owner->getLoc(), frame.iteration, std::nullopt};
    if (counted)
      iteration.inductionValue = counted.getUnsignedCmp()
                                     ? llvm::APSInt::getUnsigned(frame.inductionValue.asUnsigned())
                                     : llvm::APSInt::get(frame.inductionValue.asSigned());
    result.push_back(iteration);
  }
  return result;
}

mlir::Operation *TileBlock::innermostLoop() const {
  for (const Frame &frame : llvm::reverse(stack))
    if (tile::isLoop(frame.owner))
      return frame.owner;
  return nullptr;
}

Allocation *TileBlock::polledAllocation() {
  return polled ? memory().allowed(polled->place, 1, AccessKind::Read, blockId.number) : nullptr;
}

void TileBlock::explainWait(Finding &finding) {
  Allocation *allocation = polledAllocation();
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

bool TileBlock::reportFatal(Check check, mlir::Operation *op, const Twine &what) {
  Finding made = finding(FindingKind::Misbehaviour, op, nameOf(op) + ": " + what);
  made.rule = &ruleOf(check);
  return reportFatal(std::move(made));
}

bool TileBlock::reportFatal(Finding finding) {
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

//===-- Poison --------------------------------------------------------------------------------===//

void PoisonSources::add(mlir::Operation *op, llvm::ArrayRef<const Tile *> operands,
                        std::optional<int64_t> unspecified, std::optional<int64_t> undefined) {
  Source &source = all[op];
  source = {{}, unspecified, undefined};
  for (const Tile *operand : operands)
    source.operands.push_back(*operand);
}

const PoisonSources::Source *PoisonSources::of(mlir::Operation *op) const {
  auto found = all.find(op);
  return found == all.end() ? nullptr : &found->second;
}
