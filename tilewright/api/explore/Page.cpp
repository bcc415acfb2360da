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
static constexpr llvm::StringLiteral livePieces[] = {
#include "tilewright/api/explore/Live.inc"
};

static std::string joined(llvm::ArrayRef<llvm::StringLiteral> texts) {
  std::string all;
  for (StringRef text : texts)
    all += text;
  return all;
}

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

/// The first occurrence of the mark: in the template, which comes before the scripts.
static void replaceMark(std::string &page, StringRef mark, StringRef text) {
  const size_t place = page.find(mark);
  assert(place != std::string::npos && "embed_page.py has checked the template");
  page.replace(place, mark.size(), text);
}

std::string api::pageOf(std::string_view json) {
  std::string page = joined(pieces);
  replaceMark(page, "<!--DATA-->", escapedForScript(json));
  return page;
}

/// The policy of a page that may ask its server.
static constexpr llvm::StringLiteral policyEnd = "img-src data:";

static std::string live(std::string page, uint64_t id) {
  replaceMark(page, policyEnd, (policyEnd + "; connect-src 'self'").str());
  const std::string script =
      "<script data-page=\"" + std::to_string(id) + "\">\n" + joined(livePieces) + "</script>\n";
  return page.insert(page.rfind("</body>"), script);
}

std::string api::livePageOf(std::string_view json, uint64_t id) { return live(pageOf(json), id); }

std::string api::waitingPage(uint64_t id) {
  const std::string page = joined(pieces), head = page.substr(0, page.find("<body>"));
  return live(head + "<body>\n</body>\n</html>\n", id);
}
