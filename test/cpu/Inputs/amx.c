// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emulates AMX on processors without it: a library for LD_PRELOAD. If the system grants tiles it does
// nothing. Otherwise a tile instruction, which the processor does not support, raises SIGILL; the
// handler executes it as described in Intel's manual, and continues after it. Tiles are per thread,
// as on real processors. Operations that would fault there (a tile that is not configured, shapes
// that do not match, addresses without an index register) end the program with a message.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

//===-- Tiles ---------------------------------------------------------------------------------===//

typedef struct {
  int rows, bytes; // 0: not configured
  uint8_t data[16][64];
} Tile;

static _Thread_local Tile tiles[8];

static void fault(const char *what) {
  fprintf(stderr, "amx: %s\n", what);
  _exit(70);
}

static Tile *used(int number) {
  Tile *tile = &tiles[number & 7];
  if (number > 7 || tile->rows == 0)
    fault("a tile that is not configured");
  return tile;
}

static void configure(const uint8_t *from) {
  if (from[0] != 1 || from[1] != 0)
    fault("another palette than 1, or a row to start from");
  for (int i = 0; i < 8; ++i) {
    const int bytes = from[16 + 2 * i] | from[17 + 2 * i] << 8, rows = from[48 + i];
    if (bytes > 64 || rows > 16 || (bytes == 0) != (rows == 0))
      fault("a tile of more than 16 rows of 64 bytes");
    memset(&tiles[i], 0, sizeof tiles[i]);
    tiles[i].rows = rows;
    tiles[i].bytes = bytes;
  }
}

static void load(Tile *tile, const uint8_t *from, int64_t stride) {
  memset(tile->data, 0, sizeof tile->data);
  for (int row = 0; row < tile->rows; ++row)
    memcpy(tile->data[row], from + row * stride, tile->bytes);
}

static void store(const Tile *tile, uint8_t *to, int64_t stride) {
  for (int row = 0; row < tile->rows; ++row)
    memcpy(to + row * stride, tile->data[row], tile->bytes);
}

//===-- Products ------------------------------------------------------------------------------===//

/// Flushes subnormals to zero, for operands and results.
static float flushed(float number) {
  return fabsf(number) < 0x1p-126f ? copysignf(0.0f, number) : number;
}

static float bf16(const uint8_t *at) {
  const uint32_t bits = (uint32_t)(at[0] | at[1] << 8) << 16;
  float number;
  memcpy(&number, &bits, 4);
  return flushed(number);
}

static void multiplyBf16(Tile *sums, const Tile *a, const Tile *b) {
  for (int m = 0; m < sums->rows; ++m)
    for (int n = 0; n < sums->bytes / 4; ++n) {
      float parts[2] = {0, 0}, sum;
      for (int k = 0; k < a->bytes / 4; ++k)
        for (int i = 0; i < 2; ++i)
          parts[i] = flushed(fmaf(bf16(&a->data[m][4 * k + 2 * i]),
                                  bf16(&b->data[k][4 * n + 2 * i]), parts[i]));
      memcpy(&sum, &sums->data[m][4 * n], 4);
      sum = flushed(flushed(sum) + flushed(parts[0] + parts[1]));
      memcpy(&sums->data[m][4 * n], &sum, 4);
    }
}

static int32_t byte(const uint8_t *at, int isSigned) { return isSigned ? (int8_t)*at : *at; }

static void multiplyInt8(Tile *sums, const Tile *a, const Tile *b, int leftSigned,
                         int rightSigned) {
  for (int m = 0; m < sums->rows; ++m)
    for (int n = 0; n < sums->bytes / 4; ++n) {
      uint32_t sum;
      memcpy(&sum, &sums->data[m][4 * n], 4);
      for (int k = 0; k < a->bytes; ++k)
        sum += (uint32_t)(byte(&a->data[m][k], leftSigned) *
                          byte(&b->data[k / 4][4 * n + k % 4], rightSigned));
      memcpy(&sums->data[m][4 * n], &sum, 4);
    }
}

//===-- Instructions --------------------------------------------------------------------------===//

// The registers in the order of their encoding.
static const int registers[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                  REG_R12, REG_R13, REG_R14, REG_R15};

/// A decoded instruction: a three-byte VEX prefix (from C4 on), an opcode, and its operands.
typedef struct {
  int prefix; // 0: none, 1: 66, 2: F3, 3: F2
  int opcode, mode, reg, rm, vvvv;
  int hasIndex;
  uint64_t address, index; // of memory; the index register
  int length;
} Instruction;

static int decode(const uint8_t *code, const greg_t *state, Instruction *out) {
  const uint8_t *at = code;
  if (at[0] != 0xC4 || (at[1] & 0x1F) != 2 || (at[2] & 0x84) != 0) // 0F38, W0, 128 bits
    return 0;
  const int r = !(at[1] & 0x80) * 8, x = !(at[1] & 0x40) * 8, b = !(at[1] & 0x20) * 8;
  out->prefix = at[2] & 3;
  out->vvvv = ~(at[2] >> 3) & 15;
  out->opcode = at[3];
  out->mode = at[4] >> 6;
  out->reg = (at[4] >> 3 & 7) + r;
  out->rm = (at[4] & 7) + b;
  at += 5;
  out->hasIndex = 0;
  if (out->mode != 3) {
    uint64_t base = 0;
    int hasBase = 1, number = out->rm;
    if ((out->rm & 7) == 4) {
      const uint8_t sib = *at++;
      number = (sib & 7) + b;
      hasBase = !((sib & 7) == 5 && out->mode == 0);
      const int index = (sib >> 3 & 7) + x;
      out->hasIndex = 1;
      out->index = index == 4 ? 0 : (uint64_t)state[registers[index]] << (sib >> 6);
    } else if ((out->rm & 7) == 5 && out->mode == 0) {
      hasBase = 0; // relative to the next instruction
    }
    int64_t displacement = 0;
    if (out->mode == 1)
      displacement = (int8_t)*at++;
    else if (out->mode == 2 || !hasBase) {
      int32_t wide;
      memcpy(&wide, at, 4);
      displacement = wide;
      at += 4;
    }
    if (hasBase)
      base = (uint64_t)state[registers[number]];
    else if (!out->hasIndex)
      base = (uint64_t)at;
    out->address = base + (uint64_t)displacement;
  }
  out->length = (int)(at - code);
  return 1;
}

static int execute(const Instruction *in) {
  const int inMemory = in->mode != 3;
  uint8_t *memory = (uint8_t *)in->address;
  switch (in->opcode) {
  case 0x49: // LDTILECFG, TILERELEASE, TILEZERO
    if (in->prefix == 0 && inMemory)
      configure(memory);
    else if (in->prefix == 0 && in->reg == 0 && in->rm == 0)
      memset(tiles, 0, sizeof tiles);
    else if (in->prefix == 3 && !inMemory)
      memset(used(in->reg)->data, 0, sizeof tiles[0].data);
    else
      return 0;
    return 1;
  case 0x4B: // TILELOADD, TILELOADDT1, TILESTORED
    if (!inMemory || in->prefix == 0)
      return 0;
    if (!in->hasIndex)
      fault("an address without an index register");
    if (in->prefix == 2)
      store(used(in->reg), memory, (int64_t)in->index);
    else
      load(used(in->reg), memory, (int64_t)in->index);
    return 1;
  case 0x5C: // TDPBF16PS
  case 0x5E: // TDPBSSD F2, TDPBSUD F3, TDPBUSD 66, TDPBUUD
    if (inMemory || (in->opcode == 0x5C && in->prefix != 2))
      return 0;
    Tile *sums = used(in->reg), *a = used(in->rm), *b = used(in->vvvv);
    if (sums->rows != a->rows || sums->bytes != b->bytes || a->bytes != 4 * b->rows)
      fault("a product of tiles whose shapes do not fit");
    if (sums == a || sums == b || a == b)
      fault("a product of the same tile twice");
    if (in->opcode == 0x5C)
      multiplyBf16(sums, a, b);
    else
      multiplyInt8(sums, a, b, in->prefix >= 2, in->prefix == 3 || in->prefix == 1);
    return 1;
  default:
    return 0;
  }
}

static void onIllegal(int number, siginfo_t *info, void *context) {
  greg_t *state = ((ucontext_t *)context)->uc_mcontext.gregs;
  Instruction instruction = {0};
  if (!decode((const uint8_t *)state[REG_RIP], state, &instruction) || !execute(&instruction))
    signal(SIGILL, SIG_DFL); // it is raised again, and ends the process
  else
    state[REG_RIP] += instruction.length;
}

__attribute__((constructor)) static void install(void) {
  struct sigaction action = {.sa_sigaction = onIllegal, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGILL, &action, NULL);
}

/// Grants the use of tiles if the system does not, unless AMX_REFUSED is set.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (int i = 0; i < 6; ++i)
    a[i] = va_arg(list, long);
  va_end(list);
  const int isRequest = number == SYS_arch_prctl && a[0] == 0x1023;
  if (isRequest && getenv("AMX_REFUSED"))
    return -1;
  long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  const long result = next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  return isRequest ? 0 : result;
}
