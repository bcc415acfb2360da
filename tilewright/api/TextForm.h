// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much does the text of a module say?

#ifndef TILEWRIGHT_API_TEXTFORM_H
#define TILEWRIGHT_API_TEXTFORM_H

namespace tilewright::api {

struct TextForm {
  bool generic = false;   ///< The generic form of every operation.
  bool locations = false; ///< Locations and debug information too.
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_TEXTFORM_H
