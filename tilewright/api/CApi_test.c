/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does the C API keep the promises of Tilewright.h, seen from C? */

#include "tilewright/api/Tilewright.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

static int contains(const char *text, const char *part) { return text && strstr(text, part); }

/* The annotated file (bytecode format, 18): constant 300, addi, print_tko, debug information. */
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

static twModule *readValid(twContext *context, const void *bytes, size_t size) {
  twModule *module = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twModuleRead(context, bytes, size, "k", &module, &diagnostics) == TW_SUCCESS);
  CHECK(module);
  CHECK(!diagnostics);
  twDiagnosticsDestroy(diagnostics);
  return module;
}

static void readsPrintsAndWritesBytecode(twContext *context) {
  twModule *module = readValid(context, example, sizeof example);
  CHECK(twModuleFileVersion(module) == TW_VERSION(13, 3));
  CHECK(TW_VERSION_MAJOR(twModuleFileVersion(module)) == 13);
  CHECK(TW_VERSION_MINOR(twModuleFileVersion(module)) == 3);
  /* Its token is not used, so 13.1 can hold it (bytecode format, 18, last paragraph). */
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

/* Each is refused, says why, and leaves null behind. */
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

/* An operation that breaks a rule of its own comes with its place. */
static void placesBrokenRules(twContext *context) {
  uint8_t bytes[sizeof example];
  memcpy(bytes, example, sizeof example);
  bytes[0x19 + 2] = 4; /* overflow of addi: there are 0 to 3 (11) */
  twModule *module;
  twDiagnostics *diagnostics;
  CHECK(twModuleRead(context, bytes, sizeof bytes, "k", &module, &diagnostics) == TW_INVALID);
  CHECK(contains(twDiagnosticsText(diagnostics), "k: byte 0x1B, function section, entry @k: "));
  twDiagnosticsDestroy(diagnostics);

  memcpy(bytes, example, sizeof example);
  bytes[0x19 + 1] = 4; /* addi of two tiles gives a token */
  CHECK(twModuleRead(context, bytes, sizeof bytes, "k", &module, &diagnostics) == TW_INVALID);
  CHECK(contains(twDiagnosticsText(diagnostics),
                 "k: byte 0x19, entry @k: error: 'cuda_tile.addi' op "));
  CHECK(contains(twDiagnosticsText(diagnostics), "\n  at k.py:5:9\n"));
  CHECK(twDiagnosticsCount(diagnostics) == 1);
  twDiagnostic error = {.size = sizeof error};
  CHECK(twDiagnosticsGet(diagnostics, 0, &error) == TW_SUCCESS);
  CHECK(error.size == sizeof error);
  CHECK(error.severity == TW_ERROR);
  CHECK(strcmp(error.place.file, "k.py") == 0);
  CHECK(error.place.line == 5 && error.place.column == 9 && error.place.byte == 0x19);
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

static void modulesOutliveTheirContext(void) {
  twContext *context = twContextCreate();
  twModule *module = readValid(context, example, sizeof example);
  twContextDestroy(context);
  CHECK(twModuleLowestVersion(module) == TW_VERSION(13, 1));
  twModuleDestroy(module);
}

/* ---- Kernels ------------------------------------------------------------------------------ */

/* Block b of @add: x[b] += n. All blocks of @race write x[0]. @endless prints for ever. @claim
 * asserts that n is 1, and prints it. */
static const char kernels[] =
    "cuda_tile.module @m {\n"
    "  entry @add(%x: tile<ptr<i32>>, %n: tile<i32>) {\n"
    "    %b, %by, %bz = get_tile_block_id : tile<i32>\n"
    "    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
    "    %old, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token\n"
    "    %new = addi %old, %n : tile<i32>\n"
    "    %u = store_ptr_tko weak %at, %new token=%t : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "  entry @race(%x: tile<ptr<i32>>) {\n"
    "    %b, %by, %bz = get_tile_block_id : tile<i32>\n"
    "    %u = store_ptr_tko weak %x, %b : tile<ptr<i32>>, tile<i32> -> token\n"
    "  }\n"
    "  entry @endless() {\n"
    "    loop {\n"
    "      %t = print_tko \"again\\n\" -> token\n"
    "      continue\n"
    "    }\n"
    "  }\n"
    "  entry @claim(%n: tile<i32>) {\n"
    "    %1 = constant <i32: 1> : tile<i32>\n"
    "    %is = cmpi equal %n, %1, signed : tile<i32> -> tile<i1>\n"
    "    assert %is, \"n is one\" : tile<i1>\n"
    "    %t = print_tko \"n = %d\\n\", %n : tile<i32> -> token\n"
    "  }\n"
    "}\n";

enum { blocks = 64 };

/* An array of i32, whose shape lives as long as the program. */
static twArray arrayOf(int32_t *data, int64_t count) {
  static int64_t shapes[16];
  static int used = 0;
  int64_t *shape = &shapes[used++ % 16];
  *shape = count;
  twArray array = {
      .size = sizeof array, .data = data, .element = TW_I32, .rank = 1, .shape = shape};
  return array;
}

static twKernelHandle *compile(const twModule *module, const char *name, twDevice device) {
  twCompileOptions options = {.size = sizeof options, .device = device};
  twKernelHandle *kernel = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twKernelCompile(twModuleFindEntry(module, name), &options, &kernel, &diagnostics) ==
        TW_SUCCESS);
  CHECK(!diagnostics);
  return kernel;
}

static twLaunchHandle *bind(const twKernelHandle *kernel, const twLaunchOptions *options,
                            const twArgument *arguments, size_t count) {
  twLaunchHandle *launch = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twLaunchCreate(kernel, options, arguments, count, &launch, &diagnostics) == TW_SUCCESS);
  CHECK(!diagnostics);
  return launch;
}

static void knowsEntriesAndParameters(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  CHECK(twModuleEntryCount(module) == 4);
  CHECK(!twModuleEntry(module, 4));
  const twEntry *entry = twModuleEntry(module, 0);
  CHECK(entry == twModuleFindEntry(module, "@add"));
  CHECK(!twModuleFindEntry(module, "subtract"));
  CHECK(strcmp(twEntryName(entry), "add") == 0);
  CHECK(twEntryParameterCount(entry) == 2);
  twParameter parameter = {.size = sizeof parameter};
  CHECK(twEntryParameter(entry, 0, &parameter) == TW_SUCCESS);
  CHECK(parameter.isPointer && parameter.element == TW_I32);
  CHECK(contains(parameter.type, "ptr<i32>"));
  CHECK(twEntryParameter(entry, 1, &parameter) == TW_SUCCESS);
  CHECK(!parameter.isPointer && parameter.element == TW_I32);
  CHECK(twEntryParameter(entry, 2, &parameter) == TW_USAGE);

  /* A caller that was compiled with a shorter struct gets what it knows. */
  struct {
    size_t size;
    int isPointer;
    int guard;
  } shorter = {offsetof(twParameter, element), 7, 42};
  CHECK(twEntryParameter(entry, 0, (twParameter *)(void *)&shorter) == TW_SUCCESS);
  CHECK(shorter.isPointer == 1 && shorter.guard == 42);
  twModuleDestroy(module);
}

static void launchesOnBothDevices(twContext *context) {
  for (int device = TW_CPU; device <= TW_REFERENCE; ++device) {
    twModule *module = readValid(context, kernels, strlen(kernels));
    twKernelHandle *kernel = compile(module, "add", (twDevice)device);
    twModuleDestroy(module); /* the kernel keeps what it needs */
    int32_t x[blocks] = {0};
    twArray array = arrayOf(x, blocks);
    twArgument arguments[] = {twArrayArgument(&array), twI32Argument(-7)};
    twLaunchOptions options = {.size = sizeof options, .grid = {blocks}, .threads = 8};
    twLaunchHandle *launch = bind(kernel, &options, arguments, 2);
    twKernelDestroy(kernel);
    twDiagnostics *diagnostics;
    CHECK(twLaunchRun(launch, &diagnostics) == TW_SUCCESS);
    CHECK(!diagnostics && twLaunchFindingCount(launch) == 0);
    CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
    for (int i = 0; i < blocks; ++i)
      CHECK(x[i] == -14);
    twLaunchDestroy(launch);
  }
}

static void reportsARace(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *kernel = compile(module, "race", TW_REFERENCE);
  int32_t x[4] = {0};
  twArray array = arrayOf(x, 4);
  twArgument argument = twArrayArgument(&array);
  twLaunchOptions options = {.size = sizeof options, .grid = {2}};
  twLaunchHandle *launch = bind(kernel, &options, &argument, 1);
  twDiagnostics *diagnostics;
  CHECK(twLaunchRun(launch, &diagnostics) == TW_MISBEHAVED);
  CHECK(contains(twDiagnosticsText(diagnostics), "k:11:10: error: block (1, 0, 0): "));
  twDiagnosticsDestroy(diagnostics);
  CHECK(twLaunchFindingCount(launch) == 1 && twLaunchUnlistedFindings(launch) == 0);
  twFinding finding = {.size = sizeof finding};
  CHECK(twLaunchFinding(launch, 0, &finding) == TW_SUCCESS);
  CHECK(finding.kind == TW_MISBEHAVIOUR && finding.severity == TW_ERROR);
  CHECK(strcmp(finding.rule, "race") == 0);
  CHECK(strcmp(finding.place.file, "k") == 0 && finding.place.line == 11);
  CHECK(finding.block[0] == 1 && finding.block[1] == 0 && finding.block[2] == 0);
  CHECK(strcmp(finding.array, "parameter 1 (4xi32)") == 0 && finding.arrayElement == 0);
  CHECK(strcmp(finding.kernel, "race") == 0 && *finding.help);
  CHECK(twLaunchFinding(launch, 1, &finding) == TW_USAGE);
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

/* Collects text, which does not end with a 0 byte. */
typedef struct Text {
  char bytes[64];
  size_t length;
} Text;

static void collect(void *context, const char *text, size_t length) {
  Text *all = context;
  if (all->length + length < sizeof all->bytes)
    memcpy(all->bytes + all->length, text, length);
  all->length += length;
}

static void printsAndAsserts(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *kernel = compile(module, "claim", TW_CPU);
  Text text = {{0}, 0};
  twLaunchOptions options = {.size = sizeof options, .print = collect, .printContext = &text};
  twArgument one = twI32Argument(1), two = twI32Argument(2);
  twLaunchHandle *launch = bind(kernel, &options, &one, 1);
  CHECK(twLaunchRun(launch, NULL) == TW_SUCCESS);
  CHECK(strcmp(text.bytes, "n = 1\n") == 0);
  twLaunchDestroy(launch);

  launch = bind(kernel, &options, &two, 1);
  CHECK(twLaunchRun(launch, NULL) == TW_FAILED);
  twFinding finding = {.size = sizeof finding};
  CHECK(twLaunchFinding(launch, 0, &finding) == TW_SUCCESS);
  CHECK(finding.kind == TW_FAILED_ASSERT && finding.place.line == 22);
  CHECK(contains(finding.text, "assertion failed: n is one"));
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

static void cancelWhenItPrints(void *context, const char *text, size_t length) {
  (void)text, (void)length;
  twLaunchCancel(*(twLaunchHandle **)context);
}

static void cancelsALaunch(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  twKernelHandle *kernel = compile(module, "endless", TW_REFERENCE);
  twLaunchHandle *launch;
  twLaunchOptions options = {
      .size = sizeof options, .print = cancelWhenItPrints, .printContext = &launch};
  launch = bind(kernel, &options, NULL, 0);
  twDiagnostics *diagnostics;
  CHECK(twLaunchRun(launch, &diagnostics) == TW_CANCELLED);
  CHECK(contains(twDiagnosticsText(diagnostics), "cancelled"));
  CHECK(twLaunchFindingCount(launch) == 0);
  twDiagnosticsDestroy(diagnostics);
  twLaunchDestroy(launch);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

static void refusesWrongOptions(const twEntry *entry) {
  const struct {
    twCompileOptions options;
    const char *why;
  } cases[] = {
      {{.size = 0}, "the size of the options is not set"},
      {{.size = sizeof(twCompileOptions), .device = (twDevice)7}, "there is no device 7"},
      {{.size = sizeof(twCompileOptions), .target = "abacus"}, "abacus"},
      {{.size = sizeof(twCompileOptions), .optimization = (twOptimization)9}, "optimization"},
      {{.size = sizeof(twCompileOptions), .device = TW_REFERENCE, .checks = "luck"}, "luck"},
      {{.size = sizeof(twCompileOptions), .device = TW_REFERENCE, .maxSteps = -1}, "step limit"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    twKernelHandle *kernel;
    twDiagnostics *why;
    CHECK(twKernelCompile(entry, &cases[i].options, &kernel, &why) == TW_USAGE);
    CHECK(!kernel && contains(twDiagnosticsText(why), cases[i].why));
    twDiagnosticsDestroy(why);
  }
  twKernelHandle *kernel;
  CHECK(twKernelCompile(NULL, NULL, &kernel, NULL) == TW_USAGE);
  CHECK(twKernelCompile(entry, NULL, NULL, NULL) == TW_USAGE);
}

static void refusesWrongArguments(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  refusesWrongOptions(twModuleFindEntry(module, "add"));
  twKernelHandle *kernel = compile(module, "add", TW_CPU);
  int32_t x[4] = {0};
  const int64_t negative[] = {-1}, four[] = {4};
  const twArray valid = arrayOf(x, 4), sizeless = {0};
  twArray null = valid, floats = valid, shapeless = valid, endless = valid, backwards = valid;
  null.data = NULL;
  floats.element = TW_F32;
  shapeless.shape = NULL;
  endless.shape = negative;
  backwards.shape = four;
  backwards.strides = negative;
  const struct {
    twArgument first;
    twArgument second;
    size_t count;
    int64_t blocks;
    const char *why;
  } cases[] = {
      {twArrayArgument(&valid), twI32Argument(1), 1, 1, "expected 2 arguments, but got 1"},
      {twArrayArgument(&null), twI32Argument(1), 2, 1, "the 4xi32 array is null"},
      {twArrayArgument(&sizeless), twI32Argument(1), 2, 1, "the size of the array is not set"},
      {twArrayArgument(&floats), twI32Argument(1), 2, 1, "but got an array of f32"},
      {twArrayArgument(&shapeless), twI32Argument(1), 2, 1, "the shape of the array is null"},
      {twArrayArgument(&endless), twI32Argument(1), 2, 1, "argument 1: "},
      {twArrayArgument(&backwards), twI32Argument(1), 2, 1, "must not be negative"},
      {twI32Argument(1), twI32Argument(1), 2, 1, "expected an array of i32"},
      {twArrayArgument(&valid), twF32Argument(1), 2, 1, "expected a scalar i32"},
      {twArrayArgument(&valid), {NULL, (twElementType)99, 0}, 2, 1, "no element type 99"},
      {twArrayArgument(&valid), twI32Argument(1), 2, -1, "-1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const twArgument arguments[] = {cases[i].first, cases[i].second};
    twLaunchOptions options = {.size = sizeof options, .grid = {cases[i].blocks}};
    twLaunchHandle *launch;
    twDiagnostics *why;
    CHECK(twLaunchCreate(kernel, &options, arguments, cases[i].count, &launch, &why) == TW_USAGE);
    CHECK(!launch);
    if (!contains(twDiagnosticsText(why), cases[i].why)) {
      fprintf(stderr, "%s: expected '%s'\n", twDiagnosticsText(why), cases[i].why);
      ++failures;
    }
    twDiagnosticsDestroy(why);
  }
  twLaunchHandle *launch;
  CHECK(twLaunchCreate(NULL, NULL, NULL, 0, &launch, NULL) == TW_USAGE);
  CHECK(twLaunchCreate(kernel, NULL, NULL, 2, &launch, NULL) == TW_USAGE);
  CHECK(twLaunchRun(NULL, NULL) == TW_USAGE);
  twLaunchCancel(NULL);
  twLaunchDestroy(NULL);
  twKernelDestroy(NULL);
  twKernelDestroy(kernel);
  twModuleDestroy(module);
}

/* ---- Files, versions, wrong calls --------------------------------------------------------- */

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

static void hasAVersion(void) {
  int major, minor, patch;
  CHECK(sscanf(twLibraryVersion(), "%d.%d.%d", &major, &minor, &patch) == 3);
}

/* The call itself is wrong: it says so, and touches nothing but its outputs. */
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
  CHECK(twModuleToBytecode(module, TW_VERSION(13, 4), &bytes, &size, &why) == TW_USAGE);
  CHECK(!bytes && contains(twDiagnosticsText(why), "13.1, 13.2 and 13.3"));
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

int main(void) {
  twContext *context = twContextCreate();
  readsPrintsAndWritesBytecode(context);
  printsInOtherForms(context);
  writesTheLowestVersionOfText(context);
  refusesInvalidPrograms(context);
  placesBrokenRules(context);
  strictContextsAskForMore(context);
  modulesOutliveTheirContext();
  twContextSetCache(context, ""); /* compiles, and leaves nothing behind */
  knowsEntriesAndParameters(context);
  launchesOnBothDevices(context);
  reportsARace(context);
  printsAndAsserts(context);
  cancelsALaunch(context);
  refusesWrongArguments(context);
  readsFiles(context);
  verifiesMore(context);
  hasAVersion();
  refusesWrongCalls(context);
  twContextDestroy(context);
  return failures ? 1 : 0;
}
