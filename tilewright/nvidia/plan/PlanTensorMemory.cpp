// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the products whose accumulators are in tensor memory (TensorMemory.h).

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/TensorScales.h"
#include "tilewright/tile/Loops.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using mlir::Operation;
using mlir::Value;

bool TensorAccumulators::beginWithZeros() const { return isZero(initial()); }

/// The number of the accumulators among the values of a loop that only carries them from product to
/// product.
static std::optional<unsigned> carriedNumber(tile::MatmulOpInterface product, tile::ForOp loop) {
  auto carried = llvm::dyn_cast<mlir::BlockArgument>(product.getAcc());
  if (!carried || carried.getOwner() != loop.body() || !carried.hasOneUse() ||
      tile::hasInnerJumps(loop))
    return std::nullopt;
  const unsigned number = carried.getArgNumber() - 1;
  Value result = product->getResult(0);
  const bool goesOn = result.hasOneUse() &&
                      llvm::is_contained(tile::continuesOf(loop), result.use_begin()->getOwner()) &&
                      result.use_begin()->getOperandNumber() == number;
  return goesOn ? std::optional(number) : std::nullopt;
}

/// Adds the product if there are columns for it. Returns why not; empty if the target does not have
/// the instruction.
static std::string add(Plan &plan, tile::MatmulOpInterface product) {
  ProductOrReason form = tensorProductOf(product, plan.target, plan.threads);
  if (auto *reason = std::get_if<std::string>(&form))
    return *reason;
  TensorMemory &tensor = plan.tensor;
  auto loop = llvm::dyn_cast<tile::ForOp>(product->getParentOp());
  if (!loop)
    return "the product is not immediately in a `for` loop";
  TensorAccumulators sums{product, loop};
  if (std::optional<unsigned> number = carriedNumber(product, loop)) {
    sums.isHeld = !tensor.notHeld.contains(product);
    sums.number = *number;
  }
  MatrixProduct matrices = std::get<MatrixProduct>(form);
  matrices.ctas = plan.ctas;
  const int64_t columns = matrices.tensorColumns() + TensorScales(matrices).columns();
  if (tensor.columns + columns > TensorMemory::mostColumns)
    return formatv("it needs {0} columns of tensor memory, but {1} of {2} are left", columns,
                   TensorMemory::mostColumns - tensor.columns, TensorMemory::mostColumns)
        .str();
  sums.column = tensor.columns;
  tensor.columns += columns;
  tensor.products.insert({product, sums});
  return "";
}

void nvidia::chooseTensorProducts(Plan &plan) {
  plan.entry.walk([&](tile::MatmulOpInterface product) {
    if (plan.tensor.reasons.contains(product))
      return;
    if (std::string reason = add(plan, product); !reason.empty())
      plan.tensor.reasons.insert({product, reason});
  });
}

//===-- Lhs -----------------------------------------------------------------------------------===//

/// Why lhs does not go through tensor memory; empty if it can.
static std::string problemOfLhs(const Plan &plan, tile::MatmulOpInterface product) {
  const MatrixProduct &matrices = plan.matrices.find(product)->second;
  const Value lhs = product.getLhs();
  if (matrices.isScaled())
    return "the product is block-scaled";
  if (isRecomputed(lhs))
    return "no thread holds it";
  std::optional<TileLayout> wanted = matrices.lhsLayout(plan.threads);
  if (!wanted)
    return "threads have no words of 32 bits of its rows";
  if (plan.layoutOf(lhs) != *wanted)
    return "its layout is not that of accumulators";
  if (!plan.layoutOf(lhs).isInRegisters())
    return "it is in local memory";
  const int64_t columns = matrices.wordsOfLhs().tensorColumns();
  const int64_t most =
      llvm::bit_floor(uint64_t(TensorMemory::mostColumns / plan.occupancy.value_or(1)));
  if (plan.tensor.columns + columns > most)
    return formatv("it needs {0} columns of tensor memory, but {1} of {2} are left", columns,
                   std::max<int64_t>(0, most - plan.tensor.columns), most)
        .str();
  return "";
}

bool nvidia::placeLhs(Plan &plan, tile::MatmulOpInterface product) {
  auto found = plan.tensor.products.find(product);
  if (found == plan.tensor.products.end() ||
      !plan.matrices.find(product)->second.form.isOfTensorMemory())
    return false;
  TensorAccumulators &sums = found->second;
  if (!sums.loop->isProperAncestor(product.getLhs().getParentBlock()->getParentOp()) &&
      sums.loop.body() != product.getLhs().getParentBlock())
    return false; // it is written once, before the loop
  sums.lhsReason = problemOfLhs(plan, product);
  if (!sums.lhsReason.empty())
    return false;
  sums.lhsColumn = plan.tensor.columns;
  plan.tensor.columns += plan.matrices.find(product)->second.wordsOfLhs().tensorColumns();
  return true;
}

//===-- Problems ------------------------------------------------------------------------------===//

/// Whether a product would be computed by `mma.sync`, but its accumulators are in the layout class
/// of those in tensor memory, which have another layout.
static bool isInTheWay(const Plan &plan, const TileLayout &layout) {
  return tile::EntryOp(plan.entry)
      .walk([&](tile::MatmulOpInterface product) {
        const bool isSlow = !plan.matrices.contains(product) &&
                            plan.layoutOf(product->getResult(0)) == layout &&
                            matrixProductOf(product, plan.target, plan.threads);
        return isSlow ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether threads write no operand in the loop.
static bool areCopiedAhead(const Plan &plan, Operation *product) {
  const Staging &staging = plan.staged.find(product)->second;
  return staging.lhs.way == StagedOperand::CopiedAhead &&
         staging.rhs.way == StagedOperand::CopiedAhead;
}

/// Why the product cannot be computed as it was planned; empty if it can.
static std::string problemOf(const Plan &plan, Operation *product, tile::ForOp loop) {
  auto matrices = plan.matrices.find(product);
  if (matrices == plan.matrices.end() || !matrices->second.form.isOfTensorMemory())
    return "another product determines the layout of its accumulators";
  if (isInTheWay(plan, matrices->second.layout(plan.threads)))
    return "another product with its accumulators needs mma.sync";
  if (plan.roles.ringOf(product)) {
    if (!matrices->second.form.isPacked || areCopiedAhead(plan, product))
      return "";
    return "it takes two elements from a byte, but threads would write one: an operand is not "
           "copied ahead, or not contiguous along k";
  }
  auto reason = plan.roles.reasons.find(loop);
  return reason == plan.roles.reasons.end()
             ? "neither operand is copied ahead: its load is not weak, not through a view, or its "
               "indices do not follow from the loop variable; or shared memory does not suffice "
               "for two stages"
             : reason->second;
}

/// Whether the producer would copy scales of the product.
static bool copiesScales(const Plan &plan, Operation *product) {
  auto staging = plan.staged.find(product);
  return staging != plan.staged.end() &&
         (staging->second.lhsScales.load || staging->second.rhsScales.load);
}

bool nvidia::settleTensorProducts(Plan &plan) {
  TensorMemory &tensor = plan.tensor;
  bool areSettled = true;
  for (const auto &[product, sums] : tensor.products)
    if (std::string problem = problemOf(plan, product, sums.loop); !problem.empty()) {
      areSettled = false;
      if (copiesScales(plan, product)) { // which may be the cause
        tensor.written.insert(product);
        continue;
      }
      tensor.reasons.insert({product, problem});
    } else if (sums.isHeld && !areCopiedAhead(plan, product)) {
      tensor.notHeld.insert(product);
      areSettled = false;
    }
  if (!areSettled || !tensor.isUsed())
    return areSettled;
  for (auto &[product, sums] : tensor.products) {
    sums.ready = plan.ahead.add(Ring::barrierBytes, Ring::barrierBytes);
    sums.done = plan.ahead.add(Ring::barrierBytes, Ring::barrierBytes);
  }
  tensor.columns =
      std::max<int64_t>(TensorMemory::leastColumns, llvm::PowerOf2Ceil(uint64_t(tensor.columns)));
  tensor.address = plan.ahead.add(Reserved::leastAlignment, Reserved::leastAlignment);
  plan.ahead.bytes = llvm::alignTo(plan.ahead.bytes, StagedOperand::alignment);
  return true;
}
