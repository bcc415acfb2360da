// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cost.h.

#include "tilewright/api/explore/Cost.h"
#include "tilewright/api/explore/Gpus.h"
#include "tilewright/nvidia/Assemble.h"
#include "tilewright/nvidia/Occupancy.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace tilewright;
using namespace tilewright::api;
namespace json = llvm::json;

//===-- Floating-point operations -----------------------------------------------------------===//

static int64_t elementsOf(mlir::Value value) {
  return llvm::product_of(llvm::cast<tile::TileType>(value.getType()).getShape());
}

/// How often a `reduce` or `scan` executes its body: to combine all elements along a dimension, or
/// each one but the first with those before it.
static int64_t bodyExecutionsOf(mlir::Operation *op) {
  if (auto reduce = llvm::dyn_cast_or_null<tile::ReduceOp>(op))
    return elementsOf(reduce.getOperands().front()) - elementsOf(reduce.getResults().front());
  if (auto scan = llvm::dyn_cast_or_null<tile::ScanOp>(op)) {
    const mlir::Value operand = scan.getOperands().front();
    const int64_t extent = llvm::cast<tile::TileType>(operand.getType()).getShape()[scan.getDim()];
    return elementsOf(operand) - elementsOf(operand) / extent;
  }
  return 1;
}

/// A multiplication and an addition for each product of elements.
static int64_t productOperationsOf(tile::MatmulOpInterface matmul) {
  const auto lhs = llvm::cast<tile::TileType>(matmul.getLhs().getType());
  return elementsOf(matmul->getResult(0)) * 2 * lhs.getShape().back();
}

int64_t api::floatOperationsOf(mlir::Operation *op) {
  const tile::OpRow *row = tile::findOp(op->getName().stripDialect());
  if (!row || row->category != "Floating Point" || op->getNumResults() != 1)
    return 0;
  if (!numerics::info(tile::formatOfTile(op->getResult(0))).isFloat())
    return 0; // a comparison
  const int64_t count = elementsOf(op->getResult(0)) * bodyExecutionsOf(op->getParentOp());
  if (auto matmul = llvm::dyn_cast<tile::MatmulOpInterface>(op))
    return productOperationsOf(matmul);
  return llvm::isa<tile::FmaOp>(op) ? 2 * count : count;
}

/// The units for products of these elements. Types of 8 bits share them.
static llvm::StringRef unitsFor(numerics::Format format) {
  const numerics::FormatInfo &info = numerics::info(format);
  if (!info.isFloat())
    return "i8";
  if (format == numerics::Format::TF32)
    return "tf32";
  switch (info.bits) {
  case 64:
    return "f64";
  case 32:
    return "f32";
  case 16:
    return "f16";
  case 8:
    return "f8";
  default:
    return "f4";
  }
}

UnitOperations api::unitOperationsOf(mlir::Operation *op) {
  if (auto matmul = llvm::dyn_cast<tile::MatmulOpInterface>(op))
    return {unitsFor(tile::formatOfTile(matmul.getLhs())), productOperationsOf(matmul)};
  const int64_t count = floatOperationsOf(op);
  const bool isDouble = count && tile::formatOfTile(op->getResult(0)) == numerics::Format::F64;
  return {isDouble ? "f64" : "f32", count};
}

//===-- Parts of the document ---------------------------------------------------------------===//

/// With how many registers per thread another block would fit, as far as registers limit the number
/// of blocks; none if they do not.
static std::optional<int64_t> registersForAnother(const nvidia::BlockResources &block,
                                                  const nvidia::Occupancy &occupancy) {
  const bool isLimit =
      occupancy.limiter == "registers" || llvm::is_contained(occupancy.also, "registers");
  const int64_t registers = nvidia::Resources::registersFor(occupancy.blocks + 1, block.threads);
  return isLimit && registers ? std::optional(registers) : std::nullopt;
}

static json::Array occupancyAsJson(const nvidia::BlockResources &block) {
  json::Array rows;
  for (const nvidia::Multiprocessor &multiprocessor : nvidia::multiprocessors()) {
    const nvidia::Occupancy occupancy = nvidia::occupancyOf(block, multiprocessor);
    rows.push_back(json::Object{{"sm", multiprocessor.sm},
                                {"blocks", occupancy.blocks},
                                {"warps", occupancy.warps},
                                {"share", occupancy.share},
                                {"limiter", occupancy.limiter},
                                {"registers_for_another", registersForAnother(block, occupancy)},
                                {"also", json::Array(occupancy.also)}});
  }
  return rows;
}

/// How often the GPU is filled with blocks until all of the grid have run; none if no block fits.
static std::optional<int64_t> wavesOn(const Gpu &gpu, int64_t blocks,
                                      const nvidia::BlockResources &block) {
  const int64_t atOnce =
      nvidia::occupancyOf(block, nvidia::multiprocessorOf(gpu.sm)).blocks * gpu.multiprocessors;
  if (!atOnce)
    return std::nullopt;
  return int64_t(llvm::divideCeil(blocks, atOnce));
}

static json::Array gpusAsJson(int64_t blocks, const std::optional<nvidia::BlockResources> &block) {
  json::Array rows;
  for (const Gpu &gpu : gpus()) {
    const auto &[name, sm, bandwidth, peaks, count] = gpu;
    json::Object peak;
    for (auto [type, value] :
         {std::pair("f64", peaks.f64), std::pair("f32", peaks.f32), std::pair("tf32", peaks.tf32),
          std::pair("f16", peaks.f16), std::pair("f8", peaks.f8), std::pair("i8", peaks.i8)})
      if (value > 0)
        peak[type] = value;
    rows.push_back(json::Object{{"name", name},
                                {"sm", sm},
                                {"bandwidth", bandwidth},
                                {"peak", std::move(peak)},
                                {"multiprocessors", count},
                                {"idle_multiprocessors", std::max<int64_t>(0, count - blocks)},
                                {"waves", block ? wavesOn(gpu, blocks, *block) : std::nullopt}});
  }
  return rows;
}

/// The sectors include those of asynchronous copies.
static std::optional<int64_t> bytesMoved(const json::Object *counters) {
  constexpr int64_t sectorBytes = 32;
  if (!counters)
    return std::nullopt;
  return *counters->getObject("global")->getInteger("sectors") * sectorBytes;
}

/// Adds what is known of a tile block on the GPU, and returns it; none if it has no code.
static std::optional<nvidia::BlockResources> addResources(const ExploredCode &code,
                                                          json::Object &object) {
  for (const char *member :
       {"threads", "shared_bytes", "registers", "spill_bytes", "ptxas_failure"})
    object[member] = nullptr;
  object["occupancy"] = json::Array();
  if (code.ptx.empty())
    return std::nullopt;
  object["threads"] = code.kernel.threads;
  object["shared_bytes"] = code.kernel.sharedBytes;
  nvidia::BlockResources block{code.kernel.threads, code.kernel.sharedBytes, std::nullopt};
  if (code.resources) {
    block.registers = code.resources->registers;
    object["registers"] = code.resources->registers;
    object["spill_bytes"] = code.resources->spillStores + code.resources->spillLoads;
  } else {
    object["ptxas_failure"] = report::jsonText(code.resources.failure().message);
  }
  object["occupancy"] = occupancyAsJson(block);
  return block;
}

/// Adds the operations by the units that execute them, and the units with the most.
static void addUnits(const report::OperationCounts &counts, json::Object &object) {
  std::map<llvm::StringRef, int64_t> byUnits;
  for (const auto &[op, row] : counts)
    if (const UnitOperations operations = unitOperationsOf(op); operations.count && row.count)
      byUnits[operations.units] += row.count * operations.count;
  json::Object all;
  for (const auto &[units, count] : byUnits)
    all[units] = count;
  object["operations_by_units"] = std::move(all);
  const auto most =
      llvm::max_element(byUnits, [](const auto &a, const auto &b) { return a.second < b.second; });
  object["units"] = most == byUnits.end() ? json::Value(nullptr) : json::Value(most->first);
}

json::Object api::costAsJson(const KernelCost &cost) {
  json::Object object;
  const std::optional<nvidia::BlockResources> block = addResources(cost.code, object);
  object["gpus"] = gpusAsJson(cost.grid.x() * cost.grid.y() * cost.grid.z(), block);
  addUnits(cost.counts, object);
  int64_t operations = 0;
  for (const auto &[op, row] : cost.counts)
    operations += row.count * floatOperationsOf(op);
  const std::optional<int64_t> bytes = bytesMoved(cost.counters);
  object["floating_point_operations"] = operations;
  object["bytes_moved"] = bytes;
  object["intensity"] =
      bytes && *bytes ? json::Value(double(operations) / double(*bytes)) : json::Value(nullptr);
  return object;
}
