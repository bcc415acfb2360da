// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All operations, for the generators.

#ifndef TILEWRIGHT_TILE_OPS_TD
#define TILEWRIGHT_TILE_OPS_TD

include "tilewright/tile/ops/ControlFlow.td"
include "tilewright/tile/ops/Conversion.td"
include "tilewright/tile/ops/Core.td"
include "tilewright/tile/ops/Float.td"
include "tilewright/tile/ops/Integer.td"
include "tilewright/tile/ops/Matrix.td"
include "tilewright/tile/ops/Memory.td"
include "tilewright/tile/ops/Module.td"
include "tilewright/tile/ops/Views.td"

#endif // TILEWRIGHT_TILE_OPS_TD
