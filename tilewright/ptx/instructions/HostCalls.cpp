// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HostCalls.h.

#include "tilewright/ptx/instructions/HostCalls.h"
#include "tilewright/ptx/machine/Access.h"

#include <algorithm>
#include <cstdio>

using namespace tilewright::ptx;

//===-- Arguments ---------------------------------------------------------------------------===//

/// Reads a parameter from the local memory of the thread.
static uint64_t argument(const Thread &thread, const Op &op, uint32_t number, unsigned bytes) {
  const uint32_t slot = thread.code->slots[op.list2.first + number];
  return thread.local.load(thread.values[slot] - localWindow, bytes);
}

static bool readByte(Thread &thread, const Op &op, uint64_t address, char &byte) {
  const Target target = locateAddress(thread, op, Space::Generic, address, 1, 1);
  if (!target)
    return false;
  byte = char(load(thread, op, target, 1).bits);
  return true;
}

/// Reads a text up to its terminating zero.
static bool readText(Thread &thread, const Op &op, uint64_t address, std::string &text) {
  for (char byte = 1; readByte(thread, op, address++, byte);) {
    if (!byte)
      return true;
    text += byte;
  }
  return false;
}

//===-- vprintf -----------------------------------------------------------------------------===//

namespace {
/// Reads the arguments of conversions one after the other, each aligned to its size.
class Values {
public:
  Values(Thread &thread, const Op &op, uint64_t address) : thread(thread), op(op), next(address) {}

  bool read(unsigned bytes, uint64_t &bits) {
    next = (next + bytes - 1) / bytes * bytes;
    const Target target = locateAddress(thread, op, Space::Generic, next, bytes, bytes);
    if (!target)
      return false;
    bits = load(thread, op, target, bytes).bits;
    next += bytes;
    return true;
  }

private:
  Thread &thread;
  const Op &op;
  uint64_t next;
};
} // namespace

template <typename Value>
static void append(std::string &text, const std::string &format, Value value) {
  const int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size <= 0)
    return;
  std::vector<char> buffer(size_t(size) + 1);
  std::snprintf(buffer.data(), buffer.size(), format.c_str(), value);
  text.append(buffer.data(), size_t(size));
}

/// Narrows an integer argument as `%hd` and `%hhu` do, with 1 or 2 `h` (C17, 7.21.6.1).
static int narrowed(uint64_t bits, size_t halvings, bool isSigned) {
  if (halvings == 0)
    return int(uint32_t(bits));
  if (halvings == 1)
    return isSigned ? int(int16_t(bits)) : int(uint16_t(bits));
  return isSigned ? int(int8_t(bits)) : int(uint8_t(bits));
}

/// Formats one conversion such as `%-8.3f`, with the flags and widths of C.
static bool appendConversion(Thread &thread, const Op &op, std::string_view spelled, Values &values,
                             std::string &text) {
  std::string format;
  bool isLong = false;
  for (char c : spelled.substr(0, spelled.size() - 1)) {
    isLong |= c == 'l' || c == 'j' || c == 'z' || c == 't';
    if (std::string_view("hljztL").find(c) == std::string_view::npos)
      format += c;
  }
  const char conversion = spelled.back();
  uint64_t bits = 0;
  if (std::string_view("eEfFgGaA").find(conversion) != std::string_view::npos) {
    if (!values.read(8, bits))
      return false;
    append(text, format + conversion, std::bit_cast<double>(bits));
  } else if (conversion == 's') {
    std::string inner;
    if (!values.read(8, bits) || !readText(thread, op, bits, inner))
      return false;
    append(text, format + conversion, inner.c_str());
  } else if (conversion == 'p') {
    if (!values.read(8, bits))
      return false;
    append(text, format + conversion, reinterpret_cast<void *>(bits));
  } else {
    const bool isWide = isLong && conversion != 'c';
    if (!values.read(isWide ? 8 : 4, bits))
      return false;
    if (isWide)
      append(text, format + "ll" + conversion, (long long)(bits));
    else
      append(text, format + conversion,
             narrowed(bits, conversion == 'c' ? 0 : size_t(std::ranges::count(spelled, 'h')),
                      conversion == 'd' || conversion == 'i'));
  }
  return true;
}

static size_t skip(std::string_view text, size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

static constexpr std::string_view digits = "0123456789";

static size_t skipWidth(std::string_view text, size_t at) {
  return text.substr(at).starts_with('*') ? at + 1 : skip(text, at, digits);
}

/// The end of the conversion at the start of a text; 0 if there is none.
static size_t endOfConversion(std::string_view text) {
  size_t at = skipWidth(text, skip(text, 1, "-+ #0"));
  if (text.substr(at).starts_with('.'))
    at = skipWidth(text, at + 1);
  at = skip(text, at, "hljztL");
  const bool isOne =
      at < text.size() && std::string_view("diouxXcseEfFgGaAp%").find(text[at]) != text.npos;
  return isOne ? at + 1 : 0;
}

/// Replaces `*` by its argument. A negative width means the flag `-` and its absolute value, a
/// negative precision is ignored (C17, 7.21.6.1).
static bool insertWidths(std::string_view spelled, Values &values, std::string &text) {
  for (char c : spelled) {
    uint64_t bits = 0;
    if (c != '*') {
      text += c;
      continue;
    }
    if (!values.read(4, bits))
      return false;
    const auto number = int32_t(bits);
    if (number < 0 && text.ends_with('.'))
      text.pop_back();
    else
      text += std::to_string(number);
  }
  return true;
}

/// C guarantees conversions of this many characters (C17, 7.21.6.1); print_tko has the same limit.
static constexpr unsigned mostCharacters = 4095;

static bool checkWidths(Thread &thread, const Op &op, std::string_view spelled) {
  for (size_t at = 0; (at = spelled.find_first_of("123456789", at)) != spelled.npos;) {
    const std::string number(spelled.substr(at, skip(spelled, at, digits) - at));
    if (number.size() > 4 || std::stoul(number) > mostCharacters) {
      thread.machine->report(Check::OutOfBounds, thread, op,
                             "vprintf: '" + std::string(spelled) +
                                 "': expected a width and a precision of at most " +
                                 std::to_string(mostCharacters));
      thread.machine->isStopped = true;
      return false;
    }
    at += number.size();
  }
  return true;
}

/// Maximum number of arguments besides the format; a device prints further conversions verbatim
/// (CUDA C++ Programming Guide, Formatted Output).
static constexpr int mostArguments = 32;

/// Formats the text to print. Anything that is not a conversion is printed verbatim.
static bool formatText(Thread &thread, const Op &op, std::string_view format, uint64_t address,
                       std::string &text) {
  Values values(thread, op, address);
  int arguments = 0;
  while (!format.empty()) {
    const size_t plain = std::min(format.find('%'), format.size());
    text += format.substr(0, plain);
    format.remove_prefix(plain);
    if (format.empty())
      break;
    const size_t end = endOfConversion(format);
    const std::string_view spelled = format.substr(0, std::max<size_t>(end, 1));
    format.remove_prefix(spelled.size());
    std::string withWidths;
    if (end && spelled.back() == '%')
      text += '%';
    else if (!end || arguments++ >= mostArguments)
      text += spelled;
    else if (!insertWidths(spelled, values, withWidths) || !checkWidths(thread, op, withWidths) ||
             !appendConversion(thread, op, withWidths, values, text))
      return false;
  }
  return true;
}

static Step runPrint(Thread &thread, const Op &op) {
  std::string format, text;
  if (!readText(thread, op, argument(thread, op, 0, 8), format) ||
      !formatText(thread, op, format, argument(thread, op, 1, 8), text))
    return Step::Stop;
  if (thread.machine->output)
    thread.machine->output(thread.cta->index, text);
  const uint64_t result = thread.values[thread.code->slots[op.list.first]] - localWindow;
  thread.local.store(result, 4, text.size());
  thread.local.define(result, 4, 0xF);
  return Step::Next;
}

//===-- __assertfail ------------------------------------------------------------------------===//

/// The arguments are the message, the file, the line, the function, and the size of a character.
/// Ends the run.
static Step runAssert(Thread &thread, const Op &op) {
  std::string message, file;
  if (!readText(thread, op, argument(thread, op, 0, 8), message) ||
      !readText(thread, op, argument(thread, op, 1, 8), file))
    return Step::Stop;
  const uint64_t line = argument(thread, op, 2, 4);
  thread.machine->report(Check::Assertion, thread, op,
                         file + ":" + std::to_string(line) + ": assertion failed: " + message);
  thread.machine->isStopped = true;
  return Step::Stop;
}

//===-- malloc and free ---------------------------------------------------------------------===//

/// The default heap size of a device.
static constexpr uint64_t heapBytes = 8 << 20;

static Step runMalloc(Thread &thread, const Op &op) {
  Machine &machine = *thread.machine;
  const uint64_t bytes = argument(thread, op, 0, 8);
  uint64_t address = 0;
  if (bytes && bytes <= heapBytes - machine.heapUsed) {
    Region &region = machine.memory.allocate("memory of malloc", Space::Global, bytes);
    region.isHeap = true;
    machine.heapUsed += bytes;
    address = region.base;
  }
  const uint64_t result = thread.values[thread.code->slots[op.list.first]] - localWindow;
  thread.local.store(result, 8, address);
  thread.local.define(result, 8, 0xFF);
  return Step::Next;
}

static Step runFree(Thread &thread, const Op &op) {
  Machine &machine = *thread.machine;
  const uint64_t address = argument(thread, op, 0, 8);
  if (!address)
    return Step::Next;
  Region *region = machine.memory.find(address);
  if (!region || !region->isHeap || region->base != address) {
    machine.report(Check::OutOfBounds, thread, op,
                   "what is freed was not allocated by malloc, or was freed before");
    machine.isStopped = true;
    return Step::Stop;
  }
  checkRelease(thread, op, *region);
  machine.eventQueue.runAll(); // operations in flight may access the region
  machine.heapUsed -= region->size();
  machine.memory.release(address);
  machine.recent = nullptr;
  return Step::Next;
}

//===-- The functions -----------------------------------------------------------------------===//

namespace {
struct HostFunction {
  std::string_view name;
  std::vector<uint64_t> results, parameters; ///< Sizes in bytes.
  Handler handler;
};
} // namespace

static bool have(const Module &module, const std::vector<uint32_t> &variables,
                 const std::vector<uint64_t> &bytes) {
  return std::ranges::equal(variables, bytes, {},
                            [&](uint32_t number) { return module.variables[number].bytes; });
}

Handler tilewright::ptx::hostCall(const Module &module, const Function &function) {
  static const HostFunction functions[] = {{"vprintf", {4}, {8, 8}, runPrint},
                                           {"__assertfail", {}, {8, 8, 4, 8, 8}, runAssert},
                                           {"malloc", {8}, {8}, runMalloc},
                                           {"free", {}, {8}, runFree}};
  for (const HostFunction &row : functions)
    if (row.name == function.name && have(module, function.results, row.results) &&
        have(module, function.parameters, row.parameters))
      return row.handler;
  return nullptr;
}
