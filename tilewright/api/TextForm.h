// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options for printing a module as text.

#ifndef TILEWRIGHT_API_TEXTFORM_H
#define TILEWRIGHT_API_TEXTFORM_H

namespace tilewright::api {

struct TextForm {
  bool generic = false;   ///< Print every operation in generic form.
  bool locations = false; ///< Print locations and debug information.
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_TEXTFORM_H
