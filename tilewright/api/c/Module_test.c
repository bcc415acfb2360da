/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests modules: reading, verifying, printing, writing, compiling, and rejected calls. */

#include "tilewright/api/c/TestSupport.h"

#include <string.h>

/* The annotated example file (bytecode format, 18): a constant 300, addi, print_tko, debug
 * information. */
static const uint8_t example[252] = {
    0x7F, 0x54, 0x69, 0x6C, 0x65, 0x49, 0x52, 0x00, 0x0D, 0x03, 0x00, 0x00, 0x82, 0x18, 0x08, 0xCB,
    0x01, 0x02, 0x03, 0x02, 0x01, 0x12, 0x10, 0x02, 0x00, 0x03, 0x02, 0x01, 0x00, 0x01, 0x55, 0x01,
    0x04, 0x00, 0x03, 0x01, 0x02, 0x5C, 0x00, 0x00, 0x84, 0x15, 0x08, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB,
    0x01, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x04, 0x2C, 0x01, 0x00, 0x00, 0x83, 0x66, 0x08, 0x01, 0xCB, 0xCB, 0xCB, 0x00, 0x00, 0x00, 0x00,
    0x05, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x05, 0xCB, 0xCB, 0xCB, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00,
    0x0C, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01, 0x01, 0x01, 0x05, 0x01, 0x03,
    0x02, 0x02, 0x02, 0x03, 0x04, 0x03, 0x00, 0x03, 0x01, 0x04, 0x03, 0x00, 0x05, 0x09, 0x85, 0x22,
    0x04, 0xCB, 0xCB, 0xCB, 0x05, 0xCB, 0xCB, 0xCB, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x00, 0x03, 0x0D, 0x01,
    0x00, 0x10, 0x01, 0x02, 0x00, 0x11, 0x81, 0x1F, 0x04, 0xCB, 0xCB, 0xCB, 0x04, 0xCB, 0xCB, 0xCB,
    0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00,
    0x6B, 0x2E, 0x70, 0x79, 0x2F, 0x73, 0x6B, 0x78, 0x3D, 0x25, 0x64, 0x00};

static void readsPrintsAndWritesBytecode(twContext *context) {
  twModule *module = readValid(context, example, sizeof example);
  CHECK(twModuleFileVersion(module) == TW_VERSION(13, 3));
  CHECK(TW_VERSION_MAJOR(twModuleFileVersion(module)) == 13);
  CHECK(TW_VERSION_MINOR(twModuleFileVersion(module)) == 3);
  /* Its token is not used, so 13.1 can represent it (bytecode format, 18, last paragraph). */
  CHECK(twModuleLowestVersion(module) == TW_VERSION(13, 1));

  char *text;
  twDiagnostics *diagnostics;
  CHECK(twModuleToText(module, 0, &text, &diagnostics) == TW_SUCCESS);
  CHECK(contains(text, "addi %arg0, %cst_300_i32 overflow<no_signed_wrap> : tile<i32>\n"));
  CHECK(contains(text, "entry @k(%arg0: tile<i32>) {"));
  CHECK(!contains(text, "k.py"));
  CHECK(!diagnostics);

  uint8_t *bytes;
  size_t size;
  CHECK(twModuleToBytecode(module, TW_VERSION(13, 2), &bytes, &size, &diagnostics) == TW_SUCCESS);
  CHECK(size > 12 && bytes[8] == 13 && bytes[9] == 2);
  twModule *again = readValid(context, bytes, size);
  CHECK(twModuleFileVersion(again) == TW_VERSION(13, 2));
  char *textAgain;
  CHECK(twModuleToText(again, 0, &textAgain, NULL) == TW_SUCCESS);
  CHECK(text && textAgain && strcmp(text, textAgain) == 0);

  twFree(textAgain);
  twModuleDestroy(again);
  twFree(bytes);
  twFree(text);
  twModuleDestroy(module);
}

static void printsInOtherForms(twContext *context) {
  twModule *module = readValid(context, example, sizeof example);
  char *text;
  CHECK(twModuleToText(module, TW_TEXT_GENERIC, &text, NULL) == TW_SUCCESS);
  CHECK(contains(text, "\"cuda_tile.addi\"("));
  CHECK(!contains(text, "k.py"));
  twFree(text);
  CHECK(twModuleToText(module, TW_TEXT_GENERIC | TW_TEXT_LOCATIONS, &text, NULL) == TW_SUCCESS);
  CHECK(contains(text, "\"cuda_tile.addi\"("));
  CHECK(contains(text, "loc(\"k.py\":5:9)"));
  twFree(text);
  twModuleDestroy(module);
}

static void writesTheLowestVersionOfText(twContext *context) {
  static const char text[] = "cuda_tile.module @m { entry @e(%x: tile<f32>) {\n"
                             "  %y = atan2 %x, %x : tile<f32>\n"
                             "} }\n";
  twModule *module = readValid(context, text, strlen(text));
  CHECK(twModuleFileVersion(module) == 0);
  CHECK(twModuleLowestVersion(module) == TW_VERSION(13, 2)); /* since atan2 (12) */
  uint8_t *bytes;
  size_t size;
  CHECK(twModuleToBytecode(module, TW_VERSION_LOWEST, &bytes, &size, NULL) == TW_SUCCESS);
  CHECK(size > 12 && memcmp(bytes, "\x7FTileIR\0\x0D\x02\0\0", 12) == 0);
  twFree(bytes);

  twDiagnostics *diagnostics;
  CHECK(twModuleToBytecode(module, TW_VERSION(13, 1), &bytes, &size, &diagnostics) == TW_INVALID);
  CHECK(!bytes && size == 0);
  CHECK(contains(twDiagnosticsText(diagnostics), "k:2:8: error: "));
  CHECK(contains(twDiagnosticsText(diagnostics), "'atan2'"));
  CHECK(contains(twDiagnosticsText(diagnostics), "13.2"));
  twDiagnosticsDestroy(diagnostics);
  twModuleDestroy(module);
}

/* Each program is rejected with a reason, and the output is null. */
static void refusesInvalidPrograms(twContext *context) {
  static const struct {
    const char *bytes;
    size_t size;
    const char *why;
  } cases[] = {
      {"cuda_tile.modul @m {}", 21, "k:1:1: error: custom op 'cuda_tile.modul' is unknown"},
      {"", 0, "error: expected a single CUDA Tile IR module"},
      {"\x7FTileIR\0\x0D\x03", 10, "k: byte 0xA: "},
      {"\x7FTileIR\0\x0C\x09\0\0", 12, "k: byte 0x8: "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    twModule *module = (twModule *)context;
    twDiagnostics *diagnostics = NULL;
    CHECK(twModuleRead(context, cases[i].bytes, cases[i].size, "k", &module, &diagnostics) ==
          TW_INVALID);
    CHECK(!module);
    CHECK(contains(twDiagnosticsText(diagnostics), cases[i].why));
    const char *text = twDiagnosticsText(diagnostics);
    CHECK(*text && text[strlen(text) - 1] == '\n');
    twDiagnosticsDestroy(diagnostics);
    CHECK(twModuleRead(context, cases[i].bytes, cases[i].size, NULL, &module, NULL) == TW_INVALID);
  }
}

/* A violation of an operation's own rules is reported with its place. */
static void placesBrokenRules(twContext *context) {
  uint8_t bytes[sizeof example];
  memcpy(bytes, example, sizeof example);
  bytes[0x19 + 2] = 4; /* overflow of addi: there are 0 to 3 (11) */
  twModule *module;
  twDiagnostics *diagnostics;
  CHECK(twModuleRead(context, bytes, sizeof bytes, "k", &module, &diagnostics) == TW_INVALID);
  CHECK(contains(twDiagnosticsText(diagnostics),
                 "k.py:5:10: error: byte 0x1B, function section, entry @k: "));
  twDiagnosticsDestroy(diagnostics);

  memcpy(bytes, example, sizeof example);
  bytes[0x19 + 1] = 4; /* addi of two tiles gives a token */
  CHECK(twModuleRead(context, bytes, sizeof bytes, "k", &module, &diagnostics) == TW_INVALID);
  CHECK(contains(twDiagnosticsText(diagnostics), "k.py:5:10: error: 'cuda_tile.addi' op "));
  CHECK(contains(twDiagnosticsText(diagnostics), "\n  in k: byte 0x19, entry @k\n"));
  CHECK(twDiagnosticsCount(diagnostics) == 1);
  twDiagnostic error = {.size = sizeof error};
  CHECK(twDiagnosticsGet(diagnostics, 0, &error) == TW_SUCCESS);
  CHECK(error.size == sizeof error);
  CHECK(error.severity == TW_ERROR);
  CHECK(strcmp(error.place.file, "k.py") == 0);
  CHECK(error.place.line == 5 && error.place.column == 10 && error.place.byte == 0x19);
  CHECK(contains(error.message, "'cuda_tile.addi' op "));
  CHECK(twDiagnosticsGet(diagnostics, 1, &error) == TW_USAGE);
  twDiagnosticsDestroy(diagnostics);
}

static void strictContextsAskForMore(twContext *context) {
  static const char text[] = "cuda_tile.module @m {}"; /* textual format, 11.1 */
  twModuleDestroy(readValid(context, text, strlen(text)));
  twContext *strict = twContextCreate();
  twContextSetStrict(strict, 1);
  twModule *module;
  twDiagnostics *diagnostics;
  CHECK(twModuleRead(strict, text, strlen(text), NULL, &module, &diagnostics) == TW_INVALID);
  CHECK(contains(twDiagnosticsText(diagnostics), "<memory>:1:1: error: "));
  twDiagnosticsDestroy(diagnostics);
  twContextDestroy(strict);
}

static int64_t columnOf(const twModule *module, const char *entry) {
  twPlace place;
  CHECK(twEntryPlace(twModuleFindEntry(module, entry), &place) == TW_SUCCESS);
  CHECK(place.line == 42);
  return place.column;
}

/* In debug information, columns of Python files count from 0, as in the module `ast`. In a place,
 * all columns count from 1, for text and for bytecode. */
static void countsColumnsOfPythonFromOne(twContext *context) {
  static const char text[] =
      "#py = #cuda_tile.di_file<\"k.py\" in \"/s\">\n"
      "#cu = #cuda_tile.di_compile_unit<file = #py>\n"
      "#a = #cuda_tile.di_subprogram<file = #py, line = 42, name = \"python\", "
      "linkageName = \"python\", compileUnit = #cu, scopeLine = 42>\n"
      "#b = #cuda_tile.di_subprogram<file = #py, line = 42, name = \"rust\", "
      "linkageName = \"rust\", compileUnit = #cu, scopeLine = 42>\n"
      "#inPython = loc(#cuda_tile.di_loc<loc(\"k.py\":42:7) in #a>)\n"
      "#inRust = loc(#cuda_tile.di_loc<loc(\"k.rs\":42:7) in #b>)\n"
      "cuda_tile.module @m {\n"
      "  entry @python() { return loc(#inPython) } loc(#inPython)\n"
      "  entry @rust() { return loc(#inRust) } loc(#inRust)\n"
      "}\n";
  twModule *module = readValid(context, text, strlen(text));
  uint8_t *bytes;
  size_t size;
  CHECK(twModuleToBytecode(module, 0, &bytes, &size, NULL) == TW_SUCCESS);
  CHECK(columnOf(module, "python") == 8 && columnOf(module, "rust") == 7);
  twModuleDestroy(module);

  module = readValid(context, (const char *)bytes, size);
  CHECK(columnOf(module, "python") == 8 && columnOf(module, "rust") == 7);
  twModuleDestroy(module);
  twFree(bytes);
}

static void modulesOutliveTheirContext(void) {
  twContext *context = twContextCreate();
  twModule *module = readValid(context, example, sizeof example);
  twContextDestroy(context);
  CHECK(twModuleLowestVersion(module) == TW_VERSION(13, 1));
  twModuleDestroy(module);
}

static void readsFiles(twContext *context) {
  twModule *module;
  twDiagnostics *diagnostics;
  CHECK(twModuleReadFile(context, "/nonexistent/k", &module, &diagnostics) == TW_FILE);
  CHECK(!module && contains(twDiagnosticsText(diagnostics), "/nonexistent/k: cannot read: "));
  CHECK(twDiagnosticsCount(diagnostics) == 0);
  twDiagnosticsDestroy(diagnostics);
  CHECK(twModuleReadFile(context, NULL, &module, NULL) == TW_USAGE);
}

static void verifiesMore(twContext *context) {
  static const char text[] = "cuda_tile.module @m {}"; /* textual format, 11.1 */
  twModule *module = readValid(context, text, strlen(text));
  CHECK(twModuleVerify(module, 0, 0, NULL) == TW_SUCCESS);
  CHECK(twModuleVerify(module, 0, TW_VERSION(13, 1), NULL) == TW_SUCCESS);
  twDiagnostics *diagnostics;
  CHECK(twModuleVerify(module, TW_VERIFY_STRICT, 0, &diagnostics) == TW_INVALID);
  CHECK(twDiagnosticsCount(diagnostics) == 1);
  twDiagnosticsDestroy(diagnostics);
  CHECK(twModuleVerify(module, 2, 0, NULL) == TW_USAGE);
  CHECK(twModuleVerify(module, 0, TW_VERSION(14, 0), NULL) == TW_USAGE);
  CHECK(twModuleVerify(NULL, 0, 0, NULL) == TW_USAGE);
  twModuleDestroy(module);
}

/* A wrong call returns TW_USAGE with a reason, and changes nothing but its outputs. */
static void refusesWrongCalls(twContext *context) {
  twModule *module = readValid(context, example, sizeof example);
  twModule *none;
  char *text;
  twDiagnostics *why;
  uint8_t *bytes;
  size_t size;
  CHECK(twModuleRead(NULL, example, sizeof example, "k", &none, &why) == TW_USAGE);
  CHECK(!none && contains(twDiagnosticsText(why), "the context is null"));
  twDiagnosticsDestroy(why);
  CHECK(twModuleRead(context, NULL, 7, "k", &none, &why) == TW_USAGE);
  CHECK(!none && contains(twDiagnosticsText(why), "the bytes are null"));
  twDiagnosticsDestroy(why);
  CHECK(twModuleRead(context, example, sizeof example, "k", NULL, NULL) == TW_USAGE);
  CHECK(twModuleRead(context, NULL, 0, "k", &none, NULL) == TW_INVALID); /* an empty text */

  CHECK(twModuleToText(NULL, 0, &text, &why) == TW_USAGE);
  CHECK(!text && contains(twDiagnosticsText(why), "the module is null"));
  twDiagnosticsDestroy(why);
  CHECK(twModuleToText(module, 0, NULL, NULL) == TW_USAGE);
  CHECK(twModuleToText(module, 4, &text, &why) == TW_USAGE);
  CHECK(!text && contains(twDiagnosticsText(why), "flags"));
  twDiagnosticsDestroy(why);

  CHECK(twModuleToBytecode(NULL, 0, &bytes, &size, &why) == TW_USAGE);
  CHECK(!bytes && size == 0 && contains(twDiagnosticsText(why), "the module is null"));
  twDiagnosticsDestroy(why);
  CHECK(twModuleToBytecode(module, TW_VERSION(13, 6), &bytes, &size, &why) == TW_USAGE);
  CHECK(!bytes && contains(twDiagnosticsText(why), "13.1 to 13.5"));
  twDiagnosticsDestroy(why);
  CHECK(twModuleToBytecode(module, 0, NULL, &size, NULL) == TW_USAGE);
  CHECK(twModuleToBytecode(module, 0, &bytes, NULL, NULL) == TW_USAGE);

  CHECK(twModuleFileVersion(NULL) == 0);
  CHECK(twModuleLowestVersion(NULL) == 0);
  twContextSetStrict(NULL, 1);
  twModuleDestroy(module);
  twModuleDestroy(NULL);
  twContextDestroy(NULL);
  twFree(NULL);
}

/* A GPU kernel reports its number of threads, a CPU kernel does not; neither target has the stages
 * that are specific to the other. */
static void compilesToStages(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twCode *code;
  twDiagnostics *diagnostics;
  twCodeOptions options = {.size = sizeof options, .stage = TW_STAGE_PTX, .target = "sm_80"};
  CHECK(twModuleCompile(module, &options, &code, &diagnostics) == TW_SUCCESS);
  CHECK(!diagnostics);
  CHECK(contains(twCodeBytes(code), ".target sm_80"));
  CHECK(twCodeSize(code) == strlen(twCodeBytes(code)));
  CHECK(twCodeKernelCount(code) == twModuleEntryCount(module));
  twCompiledKernel kernel = {.size = sizeof kernel};
  CHECK(twCodeKernel(code, 0, &kernel) == TW_SUCCESS);
  CHECK(contains(kernel.name, "add"));
  CHECK(kernel.threads >= 32);
  CHECK(!strcmp(twCodeRemarks(code), ""));
  CHECK(twCodeKernel(code, twCodeKernelCount(code), &kernel) == TW_USAGE);
  twCodeDestroy(code);

  CHECK(twModuleCompile(module, NULL, &code, NULL) == TW_SUCCESS);
  CHECK(contains(twCodeBytes(code), "define"));
  CHECK(twCodeKernel(code, 0, &kernel) == TW_SUCCESS);
  CHECK(kernel.threads == 0);
  twCodeDestroy(code);

  options.target = "cpu";
  CHECK(twModuleCompile(module, &options, &code, &diagnostics) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(diagnostics), "only GPU targets (sm_NN)"));
  twDiagnosticsDestroy(diagnostics);
  CHECK(!code && twModuleCompile(NULL, NULL, &code, NULL) == TW_USAGE);
  CHECK(twModuleCompile(module, NULL, NULL, NULL) == TW_USAGE);
  twModuleDestroy(module);
}

static void collectsRemarks(twContext *context) {
  const char *text = "cuda_tile.module @m {\n"
                     "  entry @zero(%x: tile<ptr<f32>>) {\n"
                     "    %0 = constant <f32: 0.0> : tile<64xf32>\n"
                     "    %1 = iota : tile<64xi32>\n"
                     "    %2 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>\n"
                     "    %3 = broadcast %2 : tile<1xptr<f32>> -> tile<64xptr<f32>>\n"
                     "    %4 = offset %3, %1 : tile<64xptr<f32>>, tile<64xi32> -> "
                     "tile<64xptr<f32>>\n"
                     "    %5 = store_ptr_tko weak %4, %0 : tile<64xptr<f32>>, tile<64xf32> -> "
                     "token\n"
                     "  }\n"
                     "}\n";
  twModule *module = readValid(context, text, strlen(text));
  twCodeOptions options = {.size = sizeof options, .stage = TW_STAGE_PLAN, .remarks = 1};
  twCode *code;
  CHECK(twModuleCompile(module, &options, &code, NULL) == TW_SUCCESS);
  CHECK(contains(twCodeRemarks(code), "k:8:"));
  CHECK(contains(twCodeRemarks(code), "remark: "));
  twCodeDestroy(code);
  twModuleDestroy(module);
}

void testModules(twContext *context) {
  readsPrintsAndWritesBytecode(context);
  printsInOtherForms(context);
  writesTheLowestVersionOfText(context);
  refusesInvalidPrograms(context);
  placesBrokenRules(context);
  strictContextsAskForMore(context);
  countsColumnsOfPythonFromOne(context);
  modulesOutliveTheirContext();
  readsFiles(context);
  verifiesMore(context);
  compilesToStages(context);
  collectsRemarks(context);
  refusesWrongCalls(context);
}
