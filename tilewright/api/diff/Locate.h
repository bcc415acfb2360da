// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the first operation of a program that a device executes wrongly: its result is not what the
// specification allows for the operands that the device itself had. So an allowed deviation of an
// earlier operation is no difference.

#ifndef TILEWRIGHT_API_DIFF_LOCATE_H
#define TILEWRIGHT_API_DIFF_LOCATE_H

#include "tilewright/api/diff/DeviceValues.h"

namespace tilewright::api {

/// None if each observed operation is right. Replaces the contents of `unjudged`.
support::Result<std::optional<Culprit>> findCulprit(const DiffLaunch &launch,
                                                    const std::string &device,
                                                    const Observations &observations,
                                                    Unjudged &unjudged);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_LOCATE_H
