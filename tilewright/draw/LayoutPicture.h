// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of layouts: which thread holds which element, and what a layout conversion moves.

#ifndef TILEWRIGHT_DRAW_LAYOUTPICTURE_H
#define TILEWRIGHT_DRAW_LAYOUTPICTURE_H

#include "tilewright/draw/Section.h"
#include "tilewright/layout/algebra/Layout.h"

namespace tilewright::draw {

/// The smallest workgroup that all these layouts fit.
Result<layout::Workgroup> smallestWorkgroup(llvm::ArrayRef<layout::Layout> layouts, int64_t lanes);

/// Shows for each element its owner (the first if there are several) and register; the colour is
/// that of the subgroup.
Result<Picture> drawLayout(const layout::Layout &layout, layout::Workgroup workgroup,
                           const Section &section);

/// Shows for each element how far it moves from one layout to the other. If an element has several
/// new owners, the one with the longest distance counts: it is shown with the nearest thread from
/// which it can get the element.
Result<Picture> drawConversion(const layout::Layout &from, const layout::Layout &to,
                               layout::Workgroup workgroup, const Section &section);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_LAYOUTPICTURE_H
