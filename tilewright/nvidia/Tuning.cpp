// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the thresholds.

#include "tilewright/nvidia/Tuning.h"

using namespace tilewright;
using nvidia::Tuning;

static constexpr codegen::Threshold<Tuning> table[] = {
    {"least-warps", &Tuning::leastWarps},
    {"most-warps", &Tuning::mostWarps},
    {"most-elements-per-thread", &Tuning::mostElementsPerThread},
    {"most-live-registers", &Tuning::mostLiveRegisters},
    {"doubling-percent", &Tuning::doublingPercent},
    {"most-product-warps", &Tuning::mostProductWarps},
    {"most-accumulators", &Tuning::mostAccumulators},
    {"most-lean-accumulators", &Tuning::mostLeanAccumulators},
    {"most-lean-bytes", &Tuning::mostLeanBytes},
    {"default-width", &Tuning::defaultWidth},
    {"most-unrolled-elements", &Tuning::mostUnrolledElements},
    {"most-unrolled-operand-elements", &Tuning::mostUnrolledOperandElements},
    {"most-accumulator-registers", &Tuning::mostAccumulatorRegisters},
    {"most-accumulator-pieces", &Tuning::mostAccumulatorPieces},
    {"most-tile-eighths", &Tuning::mostTileEighths},
    {"least-free-registers", &Tuning::leastFreeRegisters},
    {"least-operand-registers", &Tuning::leastOperandRegisters},
    {"piece-registers", &Tuning::pieceRegisters},
    {"panel-blocks", &Tuning::panelBlocks},
    {"most-delayed-registers", &Tuning::mostDelayedRegisters},
    {"alone-percent", &Tuning::alonePercent},
    {"most-exchange-bytes", &Tuning::mostExchangeBytes},
    {"most-stages", &Tuning::mostStages},
    {"most-staged-bytes", &Tuning::mostStagedBytes},
    {"reserved-exchange-bytes", &Tuning::reservedExchangeBytes},
    {"most-step-bytes", &Tuning::mostStepBytes},
};

llvm::ArrayRef<codegen::Threshold<Tuning>> nvidia::thresholds() { return table; }
