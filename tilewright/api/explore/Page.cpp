// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Page.h. embed_page.py writes the template, page/page.html with its assets, as string
// literals.

#include "tilewright/api/explore/Page.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using llvm::StringRef;

static constexpr llvm::StringLiteral pieces[] = {
#include "tilewright/api/explore/Page.inc"
};

/// Escapes what ends a script element, or hides its end, as in JSON strings: no other part of a
/// document contains '<'.
static std::string escapedForScript(StringRef json) {
  std::string text;
  text.reserve(json.size());
  for (size_t i = 0; i < json.size(); ++i) {
    const StringRef rest = json.substr(i);
    if (rest.starts_with("</") || rest.starts_with("<!"))
      text += "\\u003c";
    else
      text += json[i];
  }
  return text;
}

std::string api::pageOf(std::string_view json) {
  std::string page;
  for (StringRef piece : pieces)
    page += piece;
  const StringRef mark = "<!--DATA-->";
  const size_t place = page.find(mark);
  assert(place != std::string::npos && "embed_page.py has checked the template");
  return page.replace(place, mark.size(),
                      "<script type=\"application/json\" id=\"data\">" + escapedForScript(json) +
                          "</script>");
}
