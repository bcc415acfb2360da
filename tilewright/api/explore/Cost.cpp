// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cost.h.

#include "tilewright/api/explore/Cost.h"
#include "tilewright/api/explore/Gpus.h"
#include "tilewright/nvidia/Occupancy.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

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

int64_t api::floatOperationsOf(mlir::Operation *op) {
  const tile::OpRow *row = tile::findOp(op->getName().stripDialect());
  if (!row || row->category != "Floating Point" || op->getNumResults() != 1)
    return 0;
  if (!numerics::info(tile::formatOfTile(op->getResult(0))).isFloat())
    return 0; // a comparison
  int64_t count = elementsOf(op->getResult(0)) * bodyExecutionsOf(op->getParentOp());
  if (auto matmul = llvm::dyn_cast<tile::MatmulOpInterface>(op))
    count *= 2 * llvm::cast<tile::TileType>(matmul.getLhs().getType()).getShape().back();
  return llvm::isa<tile::FmaOp>(op) ? 2 * count : count;
}

//===-- Parts of the document ---------------------------------------------------------------===//

static json::Array occupancyAsJson(const nvidia::BlockResources &block) {
  json::Array rows;
  for (const nvidia::Multiprocessor &multiprocessor : nvidia::multiprocessors()) {
    const nvidia::Occupancy occupancy = nvidia::occupancyOf(block, multiprocessor);
    rows.push_back(json::Object{{"sm", multiprocessor.sm},
                                {"blocks", occupancy.blocks},
                                {"warps", occupancy.warps},
                                {"share", occupancy.share},
                                {"limiter", occupancy.limiter},
                                {"also", json::Array(occupancy.also)}});
  }
  return rows;
}

static json::Array gpusAsJson() {
  json::Array rows;
  for (const auto &[name, sm, bandwidth, peaks] : gpus()) {
    json::Object peak;
    for (auto [type, value] :
         {std::pair("f64", peaks.f64), std::pair("f32", peaks.f32), std::pair("tf32", peaks.tf32),
          std::pair("f16", peaks.f16), std::pair("f8", peaks.f8)})
      if (value > 0)
        peak[type] = value;
    rows.push_back(json::Object{
        {"name", name}, {"sm", sm}, {"bandwidth", bandwidth}, {"peak", std::move(peak)}});
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

/// Adds what is known of a tile block on the GPU.
static void addResources(const ExploredCode &code, json::Object &object) {
  for (const char *member :
       {"threads", "shared_bytes", "registers", "spill_bytes", "ptxas_failure"})
    object[member] = nullptr;
  object["occupancy"] = json::Array();
  if (code.ptx.empty())
    return;
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
}

json::Object api::costAsJson(const KernelCost &cost) {
  json::Object object{{"gpus", gpusAsJson()}};
  addResources(cost.code, object);
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
