// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the HTML page that shows the document of an explored kernel. The page contains its style
// sheet, its scripts (page/) and the document.

#ifndef TILEWRIGHT_API_EXPLORE_PAGE_H
#define TILEWRIGHT_API_EXPLORE_PAGE_H

#include <string>
#include <string_view>

namespace tilewright::api {

/// `json` is a document (docs/explore.md).
std::string pageOf(std::string_view json);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_PAGE_H
