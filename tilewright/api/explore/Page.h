// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the HTML page that shows the document of an explored kernel. The page contains its style
// sheet, its scripts (page/) and the document.

#ifndef TILEWRIGHT_API_EXPLORE_PAGE_H
#define TILEWRIGHT_API_EXPLORE_PAGE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::api {

/// `json` is a document (docs/explore.md).
std::string pageOf(std::string_view json);

/// The same for a server that explores again when the kernel changes (page/live.js). The page asks
/// it for `state`, and reloads when the server shows another page than `id`.
std::string livePageOf(std::string_view json, uint64_t id);
/// A live page without a document.
std::string waitingPage(uint64_t id);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_PAGE_H
