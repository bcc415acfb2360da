/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests PTX kernels from C: results, findings, counters, and the reasons for rejected calls. */

#include "tilewright/api/TilewrightPtx.h"
#include "tilewright/api/c/TestSupport.h"

#include <string.h>

/* Thread t of @scale: x[t] = factor * x[t]. All threads of @same write x[0]. */
static const char text[] = ".version 8.0\n"
                           ".target sm_80\n"
                           ".address_size 64\n"
                           ".file 1 \"scale.cu\"\n"
                           ".visible .entry scale(.param .u64 x, .param .f32 factor)\n"
                           "{\n"
                           "  .reg .b64 %a, %o;\n"
                           "  .reg .b32 %t;\n"
                           "  .reg .f32 %f, %v;\n"
                           "  .loc 1 3 1\n"
                           "  ld.param.u64 %a, [x];\n"
                           "  ld.param.f32 %f, [factor];\n"
                           "  mov.u32 %t, %tid.x;\n"
                           "  mad.wide.u32 %o, %t, 4, %a;\n"
                           "  .loc 1 4 1\n"
                           "  ld.global.f32 %v, [%o];\n"
                           "  mul.f32 %v, %v, %f;\n"
                           "  st.global.f32 [%o], %v;\n"
                           "  ret;\n"
                           "}\n"
                           ".visible .entry same(.param .u64 x)\n"
                           "{\n"
                           "  .reg .b64 %a;\n"
                           "  .reg .b32 %t;\n"
                           "  ld.param.u64 %a, [x];\n"
                           "  mov.u32 %t, %tid.x;\n"
                           "  st.global.u32 [%a], %t;\n"
                           "  ret;\n"
                           "}\n";

static twPtxModule *readText(void) {
  twPtxModule *module = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twPtxModuleRead(text, sizeof text - 1, "k.ptx", &module, &diagnostics) == TW_SUCCESS);
  CHECK(module && !diagnostics);
  return module;
}

static void hasEntries(const twPtxModule *module) {
  CHECK(twPtxModuleEntryCount(module) == 2);
  CHECK(strcmp(twPtxModuleEntryName(module, 0), "scale") == 0);
  CHECK(strcmp(twPtxModuleEntryName(module, 1), "same") == 0);
  CHECK(!twPtxModuleEntryName(module, 2));
  CHECK(twPtxModuleEntryCount(NULL) == 0);
}

static void runsOnTheMemoryOfTheCaller(const twPtxModule *module) {
  float x[32];
  const float factor = 1.5f;
  for (int i = 0; i < 32; ++i)
    x[i] = (float)i;
  const twPtxArgument arguments[] = {twPtxMemory(x, sizeof x), twPtxValue(&factor, sizeof factor)};
  const twPtxOptions options = {
      .size = sizeof options, .block = {32}, .order = TW_PTX_RANDOM, .seed = 4, .counts = 1};
  twPtxResult *result = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twPtxRun(module, "scale", &options, arguments, 2, &result, &diagnostics) == TW_SUCCESS);
  CHECK(result && !diagnostics);
  CHECK(x[0] == 0 && x[1] == 1.5f && x[31] == 46.5f);
  CHECK(twPtxResultFindingCount(result) == 0);
  CHECK(twPtxResultSteps(result) == 8 * 32);

  /* 32 floats are 128 bytes: 4 sectors are read, and 4 written. */
  twPtxCounts counts = {.size = sizeof counts};
  CHECK(twPtxResultTotal(result, &counts) == TW_SUCCESS);
  CHECK(counts.instructions == 8 * 32 && counts.globalAccesses == 2);
  CHECK(counts.sectors == 8 && counts.idealSectors == 8 && counts.sharedAccesses == 0);
  CHECK(twPtxResultLineCount(result, TW_PTX_SOURCE_LINES) == 2);
  CHECK(twPtxResultLine(result, TW_PTX_SOURCE_LINES, 1, &counts) == TW_SUCCESS);
  CHECK(strcmp(counts.file, "scale.cu") == 0 && counts.line == 4 && counts.sectors == 8);
  CHECK(twPtxResultLineCount(result, TW_PTX_TEXT_LINES) == 8);
  CHECK(twPtxResultLine(result, TW_PTX_TEXT_LINES, 4, &counts) == TW_SUCCESS);
  CHECK(strcmp(counts.instruction, "ld.global.f32") == 0 && counts.line == 16);
  CHECK(counts.instructions == 32 && counts.sectors == 4);
  CHECK(twPtxResultLine(result, TW_PTX_TEXT_LINES, 8, &counts) == TW_USAGE);
  twPtxResultDestroy(result);
}

/* The finding is the same as on the command line, and the memory of the caller is unchanged. */
static void findsRaces(const twPtxModule *module) {
  uint32_t x = 77;
  const twPtxArgument argument = twPtxMemory(&x, sizeof x);
  twPtxOptions options = {.size = sizeof options, .block = {2}};
  twPtxResult *result = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twPtxRun(module, "same", &options, &argument, 1, &result, &diagnostics) == TW_MISBEHAVED);
  CHECK(contains(twDiagnosticsText(diagnostics), "k.ptx:27:3: error: block (0, 0, 0), thread 1: "
                                                 "st.global.u32: race: write of parameter 1"));
  CHECK(twPtxResultFindingCount(result) == 1 && twPtxResultUnlistedFindings(result) == 0);
  twFinding finding = {.size = sizeof finding};
  CHECK(twPtxResultFinding(result, 0, &finding) == TW_SUCCESS);
  CHECK(strcmp(finding.rule, "race") == 0 && finding.place.line == 27);
  CHECK(strcmp(finding.array, "parameter 1") == 0 && strcmp(finding.kernel, "same") == 0);
  CHECK(twPtxResultFindingThread(result, 0) == 1);
  CHECK(twPtxResultFindingThread(result, 1) == -1);
  CHECK(twPtxResultFinding(result, 1, &finding) == TW_USAGE);
  twPtxCounts counts = {.size = sizeof counts};
  CHECK(twPtxResultTotal(result, &counts) == TW_USAGE);
  CHECK(x == 77);
  twPtxResultDestroy(result);
  twDiagnosticsDestroy(diagnostics);

  options.checks = "no-race";
  CHECK(twPtxRun(module, "same", &options, &argument, 1, &result, NULL) == TW_SUCCESS);
  CHECK(x == 1);
  twPtxResultDestroy(result);
  options.maxSteps = 3;
  CHECK(twPtxRun(module, "same", &options, &argument, 1, &result, NULL) == TW_FAILED);
  CHECK(twPtxResultFindingCount(result) == 1);
  twPtxResultDestroy(result);
}

static void isWrong(const twPtxModule *module, const char *entry, const twPtxOptions *options,
                    const twPtxArgument *arguments, size_t count, const char *why) {
  twPtxResult *result = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twPtxRun(module, entry, options, arguments, count, &result, &diagnostics) == TW_USAGE);
  CHECK(!result && contains(twDiagnosticsText(diagnostics), why));
  twDiagnosticsDestroy(diagnostics);
}

static void tellsWrongCalls(const twPtxModule *module) {
  float x[2] = {0};
  twPtxArgument arguments[] = {twPtxMemory(x, sizeof x), twPtxValue(x, 8)};
  twPtxOptions options = {.size = sizeof options, .order = (twPtxOrder)9};
  isWrong(NULL, "same", NULL, NULL, 0, "the module is null");
  isWrong(module, NULL, NULL, NULL, 0, "the entry is null");
  isWrong(module, "none", NULL, NULL, 0, "the module has no entry 'none'");
  isWrong(module, "same", NULL, NULL, 0, "'same' has 1 parameters, but there are 0 arguments");
  isWrong(module, "same", NULL, NULL, 1, "the arguments are null");
  isWrong(module, "scale", NULL, arguments, 2,
          "argument 2: parameter 'factor' has 4 bytes, but the value has 8");
  isWrong(module, "same", &options, arguments, 1, "the order 9 is unknown");
  options.order = TW_PTX_UP;
  options.checks = "races";
  isWrong(module, "same", &options, arguments, 1, "there is no check 'races'");
  options.checks = NULL;
  options.block[0] = 2000;
  isWrong(module, "same", &options, arguments, 1, "a block has at most 1024 threads");
  options.size = 0;
  isWrong(module, "same", &options, arguments, 1, "the size of the options is not set");
}

static void tellsWrongTexts(void) {
  twPtxModule *module = NULL;
  twDiagnostics *diagnostics = NULL;
  const char bad[] =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { foo.u32; }\n";
  CHECK(twPtxModuleRead(bad, 12, NULL, &module, &diagnostics) == TW_INVALID && !module);
  CHECK(twDiagnosticsCount(diagnostics) == 1);
  twDiagnosticsDestroy(diagnostics);
  CHECK(twPtxModuleRead(NULL, 0, NULL, &module, NULL) == TW_USAGE);

  /* An unsupported instruction is rejected by the run, not by the parser. */
  CHECK(twPtxModuleRead(bad, sizeof bad - 1, "bad.ptx", &module, NULL) == TW_SUCCESS);
  twPtxResult *result = NULL;
  CHECK(twPtxRun(module, "k", NULL, NULL, 0, &result, &diagnostics) == TW_INVALID && !result);
  CHECK(contains(twDiagnosticsText(diagnostics),
                 "bad.ptx:4:23: error: instruction 'foo.u32' is not supported"));
  twDiagnosticsDestroy(diagnostics);
  twPtxModuleDestroy(module);
  twPtxModuleDestroy(NULL);
  twPtxResultDestroy(NULL);
}

void testPtx(void) {
  twPtxModule *module = readText();
  hasEntries(module);
  runsOnTheMemoryOfTheCaller(module);
  findsRaces(module);
  tellsWrongCalls(module);
  tellsWrongTexts();
  twPtxModuleDestroy(module);
}
