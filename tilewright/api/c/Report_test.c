/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests reports of several launches: merging with other reports, and rejected calls. */

#include "tilewright/api/c/TestSupport.h"

#include <stdlib.h>
#include <string.h>

/* Launches the kernel in which every block writes x[0], with one block or with two. */
static void race(const twKernelHandle *kernel, twReport *report, int blocks) {
  int32_t x[4] = {0};
  const int64_t shape[] = {4};
  twArray array = {.size = sizeof array, .data = x, .element = TW_I32, .rank = 1, .shape = shape};
  twArgument argument = twArrayArgument(&array);
  twLaunchOptions options = {.size = sizeof options, .grid = {blocks}, .report = report};
  twLaunchHandle *launch = NULL;
  CHECK(twLaunchCreate(kernel, &options, &argument, 1, &launch, NULL) == TW_SUCCESS);
  CHECK(twLaunchRun(launch, NULL) == (blocks == 1 ? TW_SUCCESS : TW_MISBEHAVED));
  twLaunchDestroy(launch);
}

static int occurrences(const char *text, const char *part) {
  int count = 0;
  while ((text = strstr(text, part))) {
    ++count;
    text += strlen(part);
  }
  return count;
}

/* The text of the report, which the caller releases. */
static char *textOf(const twReport *report, twReportForm form, const char *others) {
  char *text = NULL;
  twDiagnostics *diagnostics = NULL;
  CHECK(twReportToText(report, form, others, &text, &diagnostics) == TW_SUCCESS);
  CHECK(!diagnostics && text);
  return text;
}

/* A report replaces its own earlier text in `others`. */
static void replacesItsOwnPart(const twReport *report, twReportForm form, const char *part) {
  const char *empty = form == TW_REPORT_JSON ? "{\"processes\": [{\"process\": 1}]}"
                                             : "{\"runs\": [{\"invocations\": []}]}";
  char *first = textOf(report, form, empty);
  char *second = textOf(report, form, first);
  CHECK(strcmp(first, second) == 0);
  CHECK(occurrences(second, part) == 1);
  if (form == TW_REPORT_JSON)
    CHECK(contains(second, "\"process\": 1\n"));
  twFree(first);
  twFree(second);
}

static void collectsFindingsOnce(const twModule *module) {
  twKernelHandle *kernel = compile(module, "race", TW_REFERENCE);
  twReport *report = twReportCreate(TW_REPORT_COVERAGE);
  race(kernel, report, 1);
  CHECK(twReportFindingCount(report) == 0);
  race(kernel, report, 2);
  race(kernel, report, 2);
  CHECK(twReportFindingCount(report) == 1);
  char *json = textOf(report, TW_REPORT_JSON, NULL);
  CHECK(contains(json, "\"launches\": 3") && contains(json, "\"launch\": 2"));
  CHECK(contains(json, "\"count\": 2") && occurrences(json, "\"check\": \"race\"") == 1);
  twFree(json);
  char *sarif = textOf(report, TW_REPORT_SARIF, "");
  CHECK(contains(sarif, "\"occurrenceCount\": 2"));
  CHECK(occurrences(sarif, "\"ruleId\": \"race\"") == 1 && contains(sarif, "\"startTimeUtc\": "));
  twFree(sarif);
  replacesItsOwnPart(report, TW_REPORT_JSON, "\"check\": \"race\"");
  replacesItsOwnPart(report, TW_REPORT_SARIF, "\"ruleId\": \"race\"");
  /* One block, then two blocks twice: five have run. */
  twKernelDestroy(kernel);
  char *coverage = textOf(report, TW_COVERAGE_JSON, "{\"kernels\": [{\"kernel\": \"other\"}]}");
  CHECK(contains(coverage, "\"kernel\": \"other\"") && contains(coverage, "\"kernel\": \"race\""));
  CHECK(contains(coverage, "\"count\": 5") && !contains(coverage, "\"count\": 2"));
  twFree(coverage);
  char *text = textOf(report, TW_COVERAGE_TEXT, "what others wrote\n");
  CHECK(strncmp(text, "what others wrote\ncoverage of @race: ", 37) == 0);
  twFree(text);
  char *lcov = textOf(report, TW_COVERAGE_LCOV, NULL);
  CHECK(strncmp(lcov, "TN:\nSF:", 7) == 0);
  twFree(lcov);
  twReportDestroy(report);
}

static void refuses(const twReport *report, twReportForm form, const char *others, twStatus status,
                    const char *why) {
  char *text = (char *)"";
  twDiagnostics *diagnostics = NULL;
  CHECK(twReportToText(report, form, others, &text, &diagnostics) == status);
  CHECK(!text && contains(twDiagnosticsText(diagnostics), why));
  twDiagnosticsDestroy(diagnostics);
}

static void refusesWhatIsNoReport(void) {
  CHECK(!twReportCreate(8));
  CHECK(twReportFindingCount(NULL) == 0);
  twReportDestroy(NULL);
  twReport *report = twReportCreate(0);
  refuses(NULL, TW_REPORT_JSON, NULL, TW_USAGE, "the report is null");
  refuses(report, (twReportForm)9, NULL, TW_USAGE, "there is no form 9");
  refuses(report, TW_COVERAGE_TEXT, NULL, TW_USAGE, "without TW_REPORT_COVERAGE");
  refuses(report, TW_REPORT_JSON, "{", TW_INVALID, "is not JSON");
  refuses(report, TW_REPORT_JSON, "{\"runs\": []}", TW_INVALID, "has no list 'processes'");
  refuses(report, TW_REPORT_SARIF, "[]", TW_INVALID, "has no list 'runs'");
  CHECK(twReportToText(report, TW_REPORT_JSON, NULL, NULL, NULL) == TW_USAGE);
  twReportDestroy(report);
}

static void refusesTooManyBrackets(void) {
  enum { count = 2000000 };
  char *deep = malloc(count + 1);
  memset(deep, '[', count);
  deep[count] = 0;
  twReport *report = twReportCreate(TW_REPORT_COVERAGE);
  refuses(report, TW_REPORT_JSON, deep, TW_INVALID, "nested deeper than 512 levels");
  refuses(report, TW_REPORT_SARIF, deep, TW_INVALID, "nested deeper than 512 levels");
  refuses(report, TW_COVERAGE_JSON, deep, TW_INVALID, "nested deeper than 512 levels");
  twReportDestroy(report);
  free(deep);
}

static void needsTheReferenceMachine(const twModule *module) {
  twKernelHandle *kernel = compile(module, "race", TW_CPU);
  twReport *report = twReportCreate(0);
  int32_t x = 0;
  const twArgument argument = twAddressArgument(&x);
  twLaunchOptions options = {.size = sizeof options, .report = report};
  twLaunchHandle *launch;
  twDiagnostics *why;
  CHECK(twLaunchCreate(kernel, &options, &argument, 1, &launch, &why) == TW_USAGE);
  CHECK(contains(twDiagnosticsText(why), "only the reference machine"));
  twDiagnosticsDestroy(why);
  twReportDestroy(report);
  twKernelDestroy(kernel);
}

void testReports(twContext *context) {
  twModule *module = readValid(context, kernels, strlen(kernels));
  collectsFindingsOnce(module);
  refusesWhatIsNoReport();
  refusesTooManyBrackets();
  needsTheReferenceMachine(module);
  twModuleDestroy(module);
}
