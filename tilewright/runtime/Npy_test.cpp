// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files written by NumPy are given byte by byte; files that NumPy would refuse, and some that it
// would read but never write, are built from a handwritten header.

#include "tilewright/runtime/Npy.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::runtime;
namespace fs = std::filesystem;

namespace {

std::string_view textOf(const Array &array) {
  return {reinterpret_cast<const char *>(array.bytes().data()), array.bytes().size()};
}

support::Result<Array> parse(const std::string &file) {
  std::istringstream stream(file);
  return readNpy(stream, file.size());
}

std::string refusal(const std::string &file) {
  auto array = parse(file);
  return array ? "" : array.failure().message;
}

/// A version 1.0 file: this header text and a newline, then the data.
std::string file(const std::string &header, const std::string &data = "") {
  const size_t length = header.size() + 1;
  const char lengthBytes[2] = {char(length), char(length >> 8)};
  return std::string("\x93NUMPY\1\0", 8) + std::string(lengthBytes, 2) + header + "\n" + data;
}

std::string dictionary(const std::string &descr, const std::string &shape) {
  return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
}

/// An empty directory for the test, and a list of its files.
class Directory {
public:
  Directory() {
    static int count = 0;
    path = fs::path(testing::TempDir()) /
           ("npy-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    fs::create_directories(path);
  }
  ~Directory() { fs::remove_all(path); }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(path))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  fs::path path;
};

std::string contents(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void put(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

Array makeArray(Dtype dtype, std::vector<int64_t> shape, const std::string &bytes) {
  Array array = std::move(*Array::zeros(dtype, std::move(shape)));
  EXPECT_EQ(array.bytes().size(), bytes.size());
  std::memcpy(array.bytes().data(), bytes.data(), bytes.size());
  return array;
}

// numpy.save("f.npy", numpy.array([[1, 2.5, -0.0]], dtype=numpy.float32))
const std::string savedMatrix = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }"
                                "                                                          \n" +
                                std::string("\x00\x00\x80\x3f\x00\x00\x20\x40\x00\x00\x00\x80", 12);

// numpy.save("s.npy", numpy.array(True))
const std::string savedScalar = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                "{'descr': '|b1', 'fortran_order': False, 'shape': (), }"
                                "                                                              \n"
                                "\x01";

} // namespace

TEST(ReadNpy, FilesWrittenByNumPy) {
  auto matrix = parse(savedMatrix);
  ASSERT_TRUE(matrix) << matrix.failure().message;
  EXPECT_EQ(matrix->dtype(), (Dtype{'f', 4}));
  EXPECT_EQ(toString(matrix->shape()), "(1, 3)");
  float values[3];
  std::memcpy(values, matrix->bytes().data(), 12);
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_EQ(values[1], 2.5f);
  EXPECT_TRUE(values[2] == 0 && std::signbit(values[2]));

  auto scalar = parse(savedScalar);
  ASSERT_TRUE(scalar) << scalar.failure().message;
  EXPECT_EQ(scalar->shape().size(), 0u);
  EXPECT_EQ(textOf(*scalar), "\1");
}

// numpy.lib.format.write_array(..., version=(2, 0) and (3, 0)): four bytes of length.
TEST(ReadNpy, Versions2And3) {
  for (char major : {'\2', '\3'}) {
    const std::string header = dictionary("'|u1'", "(2,)") + "\n";
    auto array = parse(std::string("\x93NUMPY") + major + '\0' + char(header.size()) +
                       std::string(3, '\0') + header + "ab");
    ASSERT_TRUE(array) << array.failure().message;
    EXPECT_EQ(textOf(*array), "ab");
  }
}

TEST(ReadNpy, DtypesOfNumPyAndMlDtypes) {
  const std::pair<const char *, Dtype> spellings[] = {
      {"|b1", {'b', 1}},
      {"|i1", {'i', 1}},
      {"<i2", {'i', 2}},
      {"<i4", {'i', 4}},
      {"<i8", {'i', 8}},
      {"|u1", {'u', 1}},
      {"<u2", {'u', 2}},
      {"<u4", {'u', 4}},
      {"<u8", {'u', 8}},
      {"<f2", {'f', 2}},
      {"<f4", {'f', 4}},
      {"<f8", {'f', 8}},
      // Raw bytes as NumPy writes them, and ml_dtypes: bfloat16, float8_e4m3fn, float8_e5m2.
      {"|V1", {'V', 1}},
      {"|V3", {'V', 3}},
      {"<V2", {'V', 2}},
      {"<V1", {'V', 1}},
      {"<f1", {'f', 1}}};
  for (const auto &[spelling, dtype] : spellings) {
    auto array = parse(file(dictionary("'" + std::string(spelling) + "'", "(2,)"),
                            std::string(2 * dtype.itemsize, 'x')));
    ASSERT_TRUE(array) << spelling << ": " << array.failure().message;
    EXPECT_EQ(array->dtype(), dtype) << spelling;
  }
}

TEST(ReadNpy, EquivalentHeaders) {
  for (const char *header : {"{'shape': (2,), 'fortran_order': False, 'descr': '|u1'}",
                             "{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (2,)}  ",
                             "  { 'descr' :'|u1' ,'fortran_order':False, 'shape':( 2 , ) , }",
                             // With one dimension, both orders are the same.
                             "{'descr': '|u1', 'fortran_order': True, 'shape': (2,), }"})
    EXPECT_EQ(refusal(file(header, "ab")), "") << header;
}

TEST(ReadNpy, ArraysWithoutElements) {
  auto array = parse(file(dictionary("'<f8'", "(3, 0)")));
  ASSERT_TRUE(array);
  EXPECT_EQ(array->elementCount(), 0);
}

TEST(ReadNpy, RejectsOtherFiles) {
  EXPECT_EQ(refusal(""), "not a .npy file: it has only 0 bytes");
  EXPECT_EQ(refusal("\x93NUM"), "not a .npy file: it has only 4 bytes");
  EXPECT_EQ(refusal("PK\3\4 a zip file"), "not a .npy file: it does not start with \\x93NUMPY");
  EXPECT_EQ(refusal("\x93NUMPY\1\1xxxxx"), "format version must be 1.0, 2.0 or 3.0, but is 1.1");
  EXPECT_EQ(refusal("\x93NUMPY\4" + std::string(9, '\0')),
            "format version must be 1.0, 2.0 or 3.0, but is 4.0");
}

// Truncated after each byte: every prefix is refused as truncated, and none crashes.
TEST(ReadNpy, RejectsTruncatedFiles) {
  for (size_t size = 6; size < savedMatrix.size(); ++size) {
    const std::string message = refusal(savedMatrix.substr(0, size));
    EXPECT_EQ(message.find("truncated file: "), 0u) << size << ": " << message;
  }
  EXPECT_EQ(refusal(savedMatrix.substr(0, 139)),
            "truncated file: shape (1, 3) of dtype <f4 takes 12 bytes, 11 follow the header");
  EXPECT_EQ(refusal(savedMatrix.substr(0, 60)),
            "truncated file: header needs 118 bytes, 50 remain");
}

TEST(ReadNpy, RejectsTrailingBytes) {
  EXPECT_EQ(refusal(savedMatrix + "!"),
            "trailing bytes: shape (1, 3) of dtype <f4 takes 12 bytes, 13 follow the header");
}

TEST(ReadNpy, RejectsNonNumericElements) {
  const auto ofDescr = [](const std::string &descr) {
    return refusal(file(dictionary(descr, "(1,)"), "12345678"));
  };
  EXPECT_EQ(ofDescr("'|O'"), "expected an array of numbers or raw bytes, but it holds Python "
                             "objects (dtype '|O')");
  EXPECT_EQ(ofDescr("[('a', '<f4'), ('b', '<i4')]"),
            "expected an array of numbers or raw bytes, but its dtype is structured");
  EXPECT_EQ(ofDescr("('<f4', (2,))"),
            "expected an array of numbers or raw bytes, but its dtype is structured");
  EXPECT_EQ(ofDescr("'>f8'"), "expected little-endian elements, but dtype '>f8' is big-endian");
  for (const char *descr : {"<c8",  "<U2", "|S8",  "<M8[ns]", "<m8",
                            "<f16", "<f3", "<i16", "=f8",     "|f8",
                            "f8",   "<f",  "<",    "",        "<f-8",
                            "<f+8", "<V0", "<f8 ", "|b2",     "<u99999999999999999999"})
    EXPECT_EQ(ofDescr("'" + std::string(descr) + "'"),
              "expected a dtype of booleans, integers, floats (of 1, 2, 4 or 8 bytes) or raw "
              "bytes, but it is '" +
                  std::string(descr) + "'");
}

TEST(ReadNpy, RejectsFortranOrder) {
  EXPECT_EQ(refusal(file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }", "abcd")),
            "expected C order, but the array of shape (2, 2) is in Fortran order (save "
            "numpy.ascontiguousarray of it)");
}

TEST(ReadNpy, RejectsImpossibleShapes) {
  const auto ofShape = [](const std::string &shape) {
    return refusal(file(dictionary("'<f4'", shape), "1234"));
  };
  EXPECT_EQ(ofShape("(-1,)"), "header: the shape has a negative extent, -1");
  EXPECT_EQ(ofShape("(1)"), "header: the shape must be a tuple, but is a number");
  EXPECT_EQ(ofShape("(99999999999999999999,)"),
            "header: an extent of the shape does not fit 64 bits");
  EXPECT_EQ(ofShape("(4294967296, 4294967296)"),
            "shape (4294967296, 4294967296) has more than 2^63 - 1 elements");
  EXPECT_EQ(ofShape("(4611686018427387904,)"),
            "shape (4611686018427387904,) of dtype <f4 has more than 2^63 - 1 bytes");
  // A number without data in the file causes no allocation.
  EXPECT_EQ(ofShape("(1099511627776,)"),
            "truncated file: shape (1099511627776,) of dtype <f4 takes 4398046511104 bytes, 4 "
            "follow the header");
  std::string ones = "(";
  for (int dim = 0; dim < 65; ++dim)
    ones += "1,";
  EXPECT_EQ(ofShape(ones + ")"), "a shape may have at most 64 dimensions, but this one has 65");
}

TEST(ReadNpy, RejectsMalformedHeaders) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "header, character 0: expected '{', but found '?'"},
      {"[]", "header, character 0: expected '{', but found '[]?'"},
      {"{", "header, character 1: expected a key, but found '?'"},
      {"{}", "header: key 'descr' is missing"},
      {"{'descr': '<f4', 'shape': ()}", "header: key 'fortran_order' is missing"},
      {"{'descr': '<f4', 'fortran_order': False}", "header: key 'shape' is missing"},
      {"{'shape': (), 'shape': ()}", "header: key 'shape' occurs twice"},
      {"{'descr': '<f4', 'descr': '<f4'}", "header: key 'descr' occurs twice"},
      {"{'fortran_order': True, 'fortran_order': True}",
       "header: key 'fortran_order' occurs twice"},
      {"{'color': 3}", "header, character 1: expected key 'descr', 'fortran_order' or 'shape', "
                       "but found ''color': 3}?'"},
      {"{'shape' ()}", "header, character 9: expected ':', but found '()}?'"},
      {"{'shape: ()}", "header, character 1: expected a key, but found ''shape: ()}?'"},
      {"{'shape': 3}", "header, character 10: expected a tuple of extents, but found '3}?'"},
      {"{'shape': (3 4)}", "header, character 13: expected ',' or ')', but found '4)}?'"},
      {"{'shape': (,)}", "header, character 11: expected an extent, but found ',)}?'"},
      {"{'shape': (3L,)}", "header, character 12: expected ',' or ')', but found 'L,)}?'"},
      {"{'shape': () 'descr'", "header, character 13: expected ',' or '}', but found ''descr'?'"},
      {"{'fortran_order': 0}", "header, character 18: expected True or False, but found '0}?'"},
      {"{'descr': 3}", "header, character 10: expected a dtype string, but found '3}?'"},
  };
  for (const auto &[header, message] : cases)
    EXPECT_EQ(refusal(file(header)), message) << header;
}

TEST(ReadNpy, RejectsGarbageAfterDictionary) {
  EXPECT_EQ(refusal(file(dictionary("'|u1'", "(1,)") + "  import os", "a")),
            "header, character 59: expected only blanks after the dictionary, but found 'import "
            "os?'");
  // A header of 58 bytes without its newline: the length ends one byte early.
  std::string unterminated = file(dictionary("'|u1'", "(1,)"), "");
  unterminated[8] = char(unterminated[8] - 1);
  EXPECT_EQ(refusal(unterminated), "header: it does not end with a newline");
}

TEST(ReadNpy, ErrorsNameFile) {
  Directory directory;
  const auto message = [&](const char *name) {
    auto array = readNpy(directory.path / name);
    return array ? "" : array.failure().message;
  };
  const std::string prefix = directory.path.string();
  EXPECT_EQ(message("missing.npy"), prefix + "/missing.npy: no such file");
  EXPECT_EQ(message("."), prefix + "/.: not a regular file");
  put(directory.path / "short.npy", savedMatrix.substr(0, 7));
  EXPECT_EQ(message("short.npy"),
            prefix + "/short.npy: truncated file: version needs 2 bytes, 1 remain");
}

// Every byte of a valid file is changed to every value: nothing crashes, and accepted files have
// the size in their header.
TEST(ReadNpy, SurvivesEverySingleByteChange) {
  for (size_t at = 0; at < savedMatrix.size() - 12; ++at)
    for (int value = 0; value < 256; ++value) {
      std::string changed = savedMatrix;
      changed[at] = char(value);
      if (auto array = parse(changed)) {
        EXPECT_EQ(array->bytes().size(), 12u);
      }
    }
}

TEST(WriteNpy, WritesSameBytesAsNumPy) {
  Directory directory;
  const fs::path path = directory.path / "f.npy";
  auto written =
      writeNpy(path, makeArray({'f', 4}, {1, 3}, savedMatrix.substr(savedMatrix.size() - 12)));
  ASSERT_TRUE(written) << written.failure().message;
  EXPECT_EQ(contents(path), savedMatrix);
  ASSERT_TRUE(writeNpy(path, makeArray({'b', 1}, {}, "\1"))); // Replaces the file.
  EXPECT_EQ(contents(path), savedScalar);
  EXPECT_EQ(directory.names(), std::vector<std::string>{"f.npy"});
}

TEST(WriteNpy, DataStartsAtAMultipleOf64) {
  for (size_t rank = 0; rank <= maxRank; ++rank) {
    const std::vector<int64_t> shape(rank, rank % 2 ? 1 : 1000000007);
    const std::string prologue = npyPrologue({'i', 4}, shape);
    EXPECT_EQ(prologue.size() % 64, 0u);
    EXPECT_EQ(prologue.back(), '\n');
  }
}

TEST(WriteNpy, RoundTrips) {
  Directory directory;
  const fs::path path = directory.path / "a.npy";
  for (Dtype dtype : {Dtype{'V', 2}, Dtype{'u', 1}, Dtype{'f', 8}, Dtype{'b', 1}})
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{}, {0}, {3}, {2, 3}, {2, 0, 3}, std::vector<int64_t>(64, 1)}) {
      auto array = Array::zeros(dtype, shape);
      ASSERT_TRUE(array);
      for (size_t byte = 0; byte < array->bytes().size(); ++byte)
        array->bytes()[byte] = uint8_t(byte * 37 + 1);
      ASSERT_TRUE(writeNpy(path, *array));
      auto again = readNpy(path);
      ASSERT_TRUE(again) << again.failure().message;
      EXPECT_EQ(again->dtype(), dtype);
      EXPECT_TRUE(std::ranges::equal(again->shape(), shape));
      EXPECT_EQ(textOf(*again), textOf(*array));
    }
}

TEST(WriteNpy, RejectsWithoutSideEffects) {
  Directory directory;
  fs::create_directory(directory.path / "taken.npy");
  fs::create_symlink("nowhere", directory.path / "dangling.npy");
  const Array array = makeArray({'u', 1}, {1}, "a");
  const auto message = [&](const fs::path &name) {
    auto written = writeNpy(directory.path / name, array);
    return written ? "" : written.failure().message;
  };
  const std::string prefix = directory.path.string() + "/";
  EXPECT_EQ(message("taken.npy"), prefix + "taken.npy: cannot write the file: it exists and is "
                                           "not a regular file");
  EXPECT_EQ(message("no/a.npy"),
            prefix + "no/a.npy: cannot write the file: '" + prefix + "no' is not a directory");
  EXPECT_EQ(message("dangling.npy"),
            prefix + "dangling.npy: cannot write the file: it is a dangling symbolic link");
  EXPECT_EQ(message("/dev/null"),
            "/dev/null: cannot write the file: it exists and is not a regular file");
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"dangling.npy", "taken.npy"}));
}

TEST(WriteNpy, FailedWriteKeepsOldFile) {
  Directory directory;
  put(directory.path / "a.npy", "old");
  auto array = Array::zeros({'u', 1}, {1000000});
  ASSERT_TRUE(array);
  // A limit on file sizes simulates a full disk.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  auto written = writeNpy(directory.path / "a.npy", *array);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  ASSERT_FALSE(written);
  EXPECT_EQ(written.failure().message,
            (directory.path / "a.npy").string() + ": cannot write the file: File too large");
  EXPECT_EQ(directory.names(), std::vector<std::string>{"a.npy"});
  EXPECT_EQ(contents(directory.path / "a.npy"), "old");
}

// A name that is too long for the file system fails only at the rename.
TEST(WriteNpy, FailedRenameLeavesNoFile) {
  Directory directory;
  auto written = writeNpy(directory.path / std::string(300, 'n'), makeArray({'u', 1}, {1}, "a"));
  ASSERT_FALSE(written);
  EXPECT_NE(written.failure().message.find("File name too long"), std::string::npos)
      << written.failure().message;
  EXPECT_TRUE(directory.names().empty());
}

TEST(OutputTarget, CanonicalisesPaths) {
  Directory directory;
  put(directory.path / "real.npy", "old");
  fs::create_symlink("real.npy", directory.path / "link.npy");
  fs::create_directory(directory.path / "sub");
  for (const char *spelling : {"real.npy", "./real.npy", "sub/../real.npy", "link.npy"}) {
    auto target = outputTarget(directory.path / spelling);
    ASSERT_TRUE(target) << target.failure().message;
    EXPECT_EQ(*target, fs::canonical(directory.path) / "real.npy") << spelling;
  }
  EXPECT_TRUE(outputTarget(directory.path / "new.npy"));
  EXPECT_EQ(outputTarget(directory.path / "no" / "a.npy").failure().message,
            directory.path.string() + "/no/a.npy: cannot write the file: '" +
                directory.path.string() + "/no' is not a directory");
  EXPECT_FALSE(outputTarget(""));
}

TEST(WriteNpy, FollowsSymbolicLinks) {
  Directory directory;
  put(directory.path / "real.npy", "old");
  fs::create_symlink("real.npy", directory.path / "link.npy");
  ASSERT_TRUE(writeNpy(directory.path / "link.npy", makeArray({'b', 1}, {}, "\1")));
  EXPECT_TRUE(fs::is_symlink(directory.path / "link.npy"));
  EXPECT_EQ(contents(directory.path / "real.npy"), savedScalar);
}

TEST(StagedNpy, VisibleOnlyAfterCommit) {
  Directory directory;
  const fs::path path = directory.path / "a.npy";
  put(path, "old");
  const Array array = makeArray({'b', 1}, {}, "\1");
  {
    auto dropped = StagedNpy::stage(path, array);
    ASSERT_TRUE(dropped);
    EXPECT_EQ(contents(path), "old");
    EXPECT_EQ(directory.names().size(), 2u);
  }
  EXPECT_EQ(directory.names(), std::vector<std::string>{"a.npy"});
  EXPECT_EQ(contents(path), "old");

  auto kept = StagedNpy::stage(path, array);
  ASSERT_TRUE(kept);
  ASSERT_TRUE(kept->commit());
  EXPECT_EQ(contents(path), savedScalar);
  EXPECT_EQ(directory.names(), std::vector<std::string>{"a.npy"});
}
