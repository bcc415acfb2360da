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

/// HTML reads `</script` and `<!--` even in a JSON string. In JSON, '<' occurs only in strings.
static std::string escapedForScript(StringRef json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

std::string api::pageOf(std::string_view json) {
  std::string page;
  for (StringRef piece : pieces)
    page += piece;
  const StringRef mark = "<!--DATA-->";
  // A script might name the mark, too, but comes later.
  const size_t place = page.find(mark);
  assert(place != std::string::npos && "embed_page.py has checked the template");
  return page.replace(place, mark.size(), escapedForScript(json));
}
