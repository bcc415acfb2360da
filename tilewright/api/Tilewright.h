/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tilewright from C, and from whatever can call C: link with -ltilewright.
 *
 *   twContext *context = twContextCreate();
 *   twModule *module;
 *   char *diagnostics;
 *   if (twModuleRead(context, bytes, size, "k.tileirbc", &module, &diagnostics) != TW_SUCCESS)
 *     fputs(diagnostics, stderr);
 *   twFree(diagnostics);
 *   ...
 *   twModuleDestroy(module);
 *   twContextDestroy(context);
 *
 * Whatever a function is given, it returns; nothing exits or aborts on bad input. Only when
 * memory runs out does the process end, as LLVM has it.
 *
 * A context, and a module, may be used by one thread at a time. Modules share nothing, neither
 * with each other nor with the context they were read with: different threads may use different
 * modules, and a module may outlive its context. */

#ifndef TILEWRIGHT_API_TILEWRIGHT_H
#define TILEWRIGHT_API_TILEWRIGHT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. */
typedef enum twStatus {
  TW_SUCCESS = 0,
  /* The file is malformed, breaks a rule of Tile IR, or does not fit the version. */
  TW_INVALID = 1,
  /* The call itself is wrong: a null pointer, an unknown version or flag. */
  TW_USAGE = 2
} twStatus;

/* Diagnostics
 *
 * A function that can fail has a last parameter `char **diagnostics`. It may be null: then
 * nothing is told. Else *diagnostics becomes null if there is nothing to tell, or a string of
 * one or more lines, each ended by a line break, which the caller releases with twFree. It is
 * never null after a failure. A success may come with warnings. */

/* Versions of Tile IR: TW_VERSION(13, 3). */
typedef uint32_t twVersion;
#define TW_VERSION(major, minor) ((twVersion)(major) << 8 | (twVersion)(minor))
#define TW_VERSION_MAJOR(version) ((version) >> 8)
#define TW_VERSION_MINOR(version) ((version)&0xFF)
/* To twModuleToBytecode: the oldest version that can hold the module. */
#define TW_VERSION_LOWEST ((twVersion)0)

/* Releases a string or bytes that a function here returned. Null is fine. */
TW_API void twFree(void *memory);

/* ---- Context: how modules are read ------------------------------------------------------- */

typedef struct twContext twContext;

/* A context with the usual settings. The caller releases it with twContextDestroy. Never null. */
TW_API twContext *twContextCreate(void);

/* Null is fine. Modules that were read with the context live on. */
TW_API void twContextDestroy(twContext *context);

/* With `strict` other than 0, modules that are read from now on must also keep the rules that
 * only the prose of the specification states. Does nothing if the context is null. */
TW_API void twContextSetStrict(twContext *context, int strict);

/* ---- Module: a program ------------------------------------------------------------------- */

typedef struct twModule twModule;

/* Reads and verifies a program, text or bytecode: which of the two, its first bytes tell. The
 * bytes are copied. Diagnostics call the program `name`; null stands for "<memory>".
 *
 * On success *module is the program, which the caller releases with twModuleDestroy. On
 * failure it is null. `bytes` may be null if `size` is 0.
 *
 * TW_INVALID: the program is malformed or breaks a rule, or holds anything but one
 * cuda_tile.module. TW_USAGE: context, bytes or module is null. */
TW_API twStatus twModuleRead(const twContext *context, const void *bytes, size_t size,
                             const char *name, twModule **module, char **diagnostics);

/* Null is fine. */
TW_API void twModuleDestroy(twModule *module);

/* The version that the bytecode states which the module was read from; 0 if it was text or
 * the module is null. */
TW_API twVersion twModuleFileVersion(const twModule *module);

/* The oldest version that can hold the module; a producer takes 13.3. 0 if it is null. */
TW_API twVersion twModuleLowestVersion(const twModule *module);

/* For twModuleToText, to be combined with |. */
enum {
  TW_TEXT_GENERIC = 1,  /* the generic form of every operation */
  TW_TEXT_LOCATIONS = 2 /* locations and debug information too */
};

/* Prints the module as text that twModuleRead reads. On success *text is a string that ends
 * with a 0 byte, which the caller releases with twFree. On failure it is null.
 *
 * TW_USAGE: module or text is null, or a flag is unknown. */
TW_API twStatus twModuleToText(const twModule *module, unsigned flags, char **text,
                               char **diagnostics);

/* Encodes the module as bytecode of a version: 13.1, 13.2, 13.3 or TW_VERSION_LOWEST. On
 * success *bytes and *size are the file; the caller releases *bytes with twFree. On failure
 * they are null and 0. The producer is dropped below 13.3 without a word.
 *
 * TW_INVALID: the version cannot hold the module; a line for each operation says why.
 * TW_USAGE: module, bytes or size is null, or the version is unknown. */
TW_API twStatus twModuleToBytecode(twModule *module, twVersion version, uint8_t **bytes,
                                   size_t *size, char **diagnostics);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_API_TILEWRIGHT_H */
