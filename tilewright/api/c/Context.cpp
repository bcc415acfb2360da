// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twContext: settings for reading programs and for the compile cache. Also the functions of the
// library as a whole.

#include "tilewright/api/c/Common.h"
#include "tilewright/support/Version.h"

#include <cstdlib>

using namespace tilewright;
using namespace tilewright::api::c;

void twFree(void *memory) { std::free(memory); }

const char *twLibraryVersion(void) { return support::version; }

twContext *twContextCreate(void) { return new twContext; }

void twContextDestroy(twContext *context) { delete context; }

void twContextSetStrict(twContext *context, int strict) {
  if (context)
    context->settings.strict = strict != 0;
}

void twContextSetCache(twContext *context, const char *folder) {
  if (!context)
    return;
  context->settings.useCache = !folder || *folder;
  context->settings.cacheFolder = folder ? folder : "";
}
