// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads .npy files. A file is, in order: the magic string, two version bytes, the length of the
// header (2 bytes little-endian in version 1, 4 since), the header, the data. The header is a
// Python dictionary with exactly the keys descr, fortran_order and shape, then blanks and a
// newline. Every number in the header is compared with the size of the file before memory is
// allocated for it. (NumPy's documentation of numpy.lib.format describes the format.)

#include "tilewright/runtime/Npy.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;

namespace {

struct Header {
  Dtype dtype;
  std::vector<int64_t> shape;
};

/// Parses the dictionary of the header. Python would evaluate it; this parser accepts only the form
/// that writers of the format produce.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  Result<Header> parse();

private:
  std::optional<Failure> parseEntry();
  std::optional<Failure> parseDescr();
  std::optional<Failure> parseOrder();
  std::optional<Failure> parseShape();
  std::optional<Failure> checkEnd();

  void skipBlanks();
  bool consume(std::string_view token);
  std::optional<std::string_view> consumeString();
  Failure expected(const std::string &what) const;

  std::string_view text;
  size_t at = 0;
  std::optional<Dtype> dtype;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static constexpr std::string_view magic = "\x93NUMPY";

/// Reads the next `size` bytes of the file, of which `remaining` are left.
static Result<std::string> readText(std::istream &stream, uint64_t &remaining, uint64_t size,
                                    const char *what) {
  if (size > remaining)
    return Failure{std::string("truncated file: ") + what + " needs " + std::to_string(size) +
                   " bytes, " + std::to_string(remaining) + " remain"};
  std::string bytes(size, '\0');
  if (!stream.read(bytes.data(), std::streamsize(size)))
    return Failure{std::string("cannot read the ") + what};
  remaining -= size;
  return bytes;
}

/// Everything in front of the data.
static Result<Header> readHeader(std::istream &stream, uint64_t &remaining) {
  if (remaining < magic.size())
    return Failure{"not a .npy file: it has only " + std::to_string(remaining) + " bytes"};
  Result<std::string> start = readText(stream, remaining, magic.size(), "magic string");
  if (!start)
    return start.failure();
  if (*start != magic)
    return Failure{"not a .npy file: it does not start with \\x93NUMPY"};

  Result<std::string> version = readText(stream, remaining, 2, "version");
  if (!version)
    return version.failure();
  const int major = uint8_t((*version)[0]), minor = uint8_t((*version)[1]);
  if (major < 1 || major > 3 || minor != 0)
    return Failure{"format version must be 1.0, 2.0 or 3.0, but is " + std::to_string(major) + "." +
                   std::to_string(minor)};

  Result<std::string> length = readText(stream, remaining, major == 1 ? 2 : 4, "header length");
  if (!length)
    return length.failure();
  uint32_t headerSize = 0;
  for (size_t byte = 0; byte < length->size(); ++byte)
    headerSize |= uint32_t(uint8_t((*length)[byte])) << (8 * byte);

  Result<std::string> header = readText(stream, remaining, headerSize, "header");
  if (!header)
    return header.failure();
  return HeaderParser(*header).parse();
}

Result<Array> runtime::readNpy(std::istream &stream, uint64_t size) {
  uint64_t remaining = size;
  Result<Header> header = readHeader(stream, remaining);
  if (!header)
    return header.failure();

  Result<int64_t> count = elementCount(header->shape);
  if (!count)
    return count.failure();
  int64_t bytes;
  if (__builtin_mul_overflow(*count, header->dtype.itemsize, &bytes))
    return Failure{"shape " + toString(header->shape) + " of dtype " + toString(header->dtype) +
                   " has more than 2^63 - 1 bytes"};
  if (uint64_t(bytes) != remaining)
    return Failure{std::string(uint64_t(bytes) > remaining ? "truncated file" : "trailing bytes") +
                   ": shape " + toString(header->shape) + " of dtype " + toString(header->dtype) +
                   " takes " + std::to_string(bytes) + " bytes, " + std::to_string(remaining) +
                   " follow the header"};

  Result<Array> array = Array::uninitialized(header->dtype, std::move(header->shape));
  if (array && !stream.read(reinterpret_cast<char *>(array->bytes().data()), bytes))
    return Failure{"cannot read the data"};
  return array;
}

Result<Array> runtime::readNpy(const std::filesystem::path &path) {
  std::error_code code;
  // Only a regular file has a size to compare its header with.
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status))
    return Failure{path.string() + ": no such file"};
  if (!std::filesystem::is_regular_file(status))
    return Failure{path.string() + ": not a regular file"};
  const uint64_t size = std::filesystem::file_size(path, code);
  std::ifstream stream(path, std::ios::binary);
  if (code || !stream)
    return Failure{path.string() + ": cannot open the file for reading"};

  Result<Array> array = readNpy(stream, size);
  if (!array)
    return array.failure().at(path.string());
  return array;
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

Result<Header> HeaderParser::parse() {
  skipBlanks();
  if (!consume("{"))
    return expected("'{'");
  for (skipBlanks(); !consume("}"); skipBlanks()) {
    if (std::optional<Failure> error = parseEntry())
      return *error;
    skipBlanks();
    if (!consume(",") && text.substr(at, 1) != "}")
      return expected("',' or '}'");
  }
  if (std::optional<Failure> error = checkEnd())
    return *error;

  for (const auto &[key, given] :
       {std::pair("descr", dtype.has_value()), std::pair("fortran_order", fortranOrder.has_value()),
        std::pair("shape", shape.has_value())})
    if (!given)
      return Failure{std::string("header: key '") + key + "' is missing"};
  if (*fortranOrder && shape->size() > 1)
    return Failure{"expected C order, but the array of shape " + toString(*shape) +
                   " is in Fortran order (save numpy.ascontiguousarray of it)"};
  return Header{*dtype, std::move(*shape)};
}

std::optional<Failure> HeaderParser::parseEntry() {
  const size_t start = at;
  const std::optional<std::string_view> key = consumeString();
  if (!key)
    return expected("a key");
  skipBlanks();
  if (!consume(":"))
    return expected("':'");
  skipBlanks();

  const bool repeated = (*key == "descr" && dtype) || (*key == "shape" && shape) ||
                        (*key == "fortran_order" && fortranOrder);
  if (repeated)
    return Failure{"header: key '" + std::string(*key) + "' occurs twice"};
  if (*key == "descr")
    return parseDescr();
  if (*key == "fortran_order")
    return parseOrder();
  if (*key == "shape")
    return parseShape();
  at = start;
  return expected("key 'descr', 'fortran_order' or 'shape'");
}

/// Whether elements of this kind may have this size; raw bytes may have any. One-byte floats are
/// not NumPy's own: ml_dtypes writes its float8_e5m2 so.
static bool isKnownDtype(char kind, int64_t itemsize) {
  const auto isOneOf = [&](std::initializer_list<int64_t> sizes) {
    return std::find(sizes.begin(), sizes.end(), itemsize) != sizes.end();
  };
  switch (kind) {
  case 'b':
    return itemsize == 1;
  case 'i':
  case 'u':
  case 'f':
    return isOneOf({1, 2, 4, 8});
  case 'V':
    return itemsize >= 1;
  default:
    return false;
  }
}

std::optional<Failure> HeaderParser::parseDescr() {
  if (text.substr(at, 1) == "[" || text.substr(at, 1) == "(")
    return Failure{"expected an array of numbers or raw bytes, but its dtype is structured"};
  const std::optional<std::string_view> descr = consumeString();
  if (!descr)
    return expected("a dtype string");

  const std::string quoted = "'" + std::string(*descr) + "'";
  if (descr->find('O') != std::string_view::npos)
    return Failure{
        "expected an array of numbers or raw bytes, but it holds Python objects (dtype " + quoted +
        ")"};
  const char order = descr->empty() ? '\0' : descr->front();
  if (order == '>')
    return Failure{"expected little-endian elements, but dtype " + quoted + " is big-endian"};

  int64_t itemsize = 0;
  const char *const end = descr->data() + descr->size();
  const bool numbered = descr->size() >= 3 && (*descr)[2] != '-';
  if (numbered) {
    const auto [next, code] = std::from_chars(descr->data() + 2, end, itemsize);
    const bool whole = code == std::errc() && next == end;
    const bool ordered = order == '<' || (order == '|' && (itemsize == 1 || (*descr)[1] == 'V'));
    if (whole && ordered && isKnownDtype((*descr)[1], itemsize)) {
      dtype = Dtype{(*descr)[1], itemsize};
      return std::nullopt;
    }
  }
  return Failure{"expected a dtype of booleans, integers, floats (of 1, 2, 4 or 8 bytes) or raw "
                 "bytes, but it is " +
                 quoted};
}

std::optional<Failure> HeaderParser::parseOrder() {
  if (consume("True"))
    fortranOrder = true;
  else if (consume("False"))
    fortranOrder = false;
  else
    return expected("True or False");
  return std::nullopt;
}

std::optional<Failure> HeaderParser::parseShape() {
  if (!consume("("))
    return expected("a tuple of extents");
  std::vector<int64_t> extents;
  bool comma = true;
  for (skipBlanks(); !consume(")"); skipBlanks()) {
    if (!comma)
      return expected("',' or ')'");
    int64_t extent;
    const auto [next, code] = std::from_chars(text.data() + at, text.data() + text.size(), extent);
    if (code == std::errc::result_out_of_range)
      return Failure{"header: an extent of the shape does not fit 64 bits"};
    if (code != std::errc())
      return expected("an extent");
    if (extent < 0)
      return Failure{"header: the shape has a negative extent, " + std::to_string(extent)};
    extents.push_back(extent);
    at = size_t(next - text.data());
    skipBlanks();
    comma = consume(",");
  }
  // In Python `(3)` is a number; the tuple is `(3,)`.
  if (extents.size() == 1 && !comma)
    return Failure{"header: the shape must be a tuple, but is a number"};
  shape = std::move(extents);
  return std::nullopt;
}

/// Only blanks may follow the dictionary, and a newline ends the header.
std::optional<Failure> HeaderParser::checkEnd() {
  const std::string_view rest = text.substr(at);
  if (rest.empty() || rest.back() != '\n')
    return Failure{"header: it does not end with a newline"};
  const size_t garbage = rest.substr(0, rest.size() - 1).find_first_not_of(' ');
  if (garbage != std::string_view::npos) {
    at += garbage;
    return expected("only blanks after the dictionary");
  }
  return std::nullopt;
}

void HeaderParser::skipBlanks() { at = std::min(text.find_first_not_of(' ', at), text.size()); }

bool HeaderParser::consume(std::string_view token) {
  if (text.substr(at, token.size()) != token)
    return false;
  at += token.size();
  return true;
}

/// A Python string without escapes, in either kind of quotes.
std::optional<std::string_view> HeaderParser::consumeString() {
  const char quote = at < text.size() ? text[at] : '\0';
  if (quote != '\'' && quote != '"')
    return std::nullopt;
  const size_t end = text.find(quote, at + 1);
  if (end == std::string_view::npos)
    return std::nullopt;
  const std::string_view content = text.substr(at + 1, end - at - 1);
  if (content.find_first_of("\\\n") != std::string_view::npos)
    return std::nullopt;
  at = end + 1;
  return content;
}

Failure HeaderParser::expected(const std::string &what) const {
  const std::string place = "header, character " + std::to_string(at) + ": expected " + what;
  if (at >= text.size())
    return {place + ", but the header ends"};
  std::string found;
  for (char c : text.substr(at, 12))
    found += c >= ' ' && c <= '~' ? c : '?';
  return {place + ", but found '" + found + "'"};
}
