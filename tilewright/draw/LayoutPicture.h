// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of layouts: who holds what, and what a change of layout moves.

#ifndef TILEWRIGHT_DRAW_LAYOUTPICTURE_H
#define TILEWRIGHT_DRAW_LAYOUTPICTURE_H

#include "tilewright/draw/Section.h"
#include "tilewright/layout/algebra/Layout.h"

namespace tilewright::draw {

/// The smallest workgroup that the digits of all these layouts fit into.
Result<layout::Workgroup> smallestWorkgroup(llvm::ArrayRef<layout::Layout> layouts, int64_t lanes);

/// For each element, the thread that holds it (the first, if there are more) and the
/// register it is in; the colour is that of the subgroup.
Result<Picture> drawLayout(const layout::Layout &layout, layout::Workgroup workgroup,
                           const Section &section);

/// For each element, how far it moves from one layout to the other. An element with many
/// owners moves as far as its worst served new owner: that one is written, with the nearest
/// of the threads that it can have the element from.
Result<Picture> drawConversion(const layout::Layout &from, const layout::Layout &to,
                               layout::Workgroup workgroup, const Section &section);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_LAYOUTPICTURE_H
