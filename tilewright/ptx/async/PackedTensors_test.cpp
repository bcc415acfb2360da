// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor copies of elements of 4 and 6 bits: .b4x16, .b4x16_p64, .b6x16_p32 and .b6p2x16 (PTX ISA,
// 5.5.1.1; rules of cuTensorMapEncodeTiled).

#include "tilewright/ptx/async/CopiesTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// A map of rows of 128 elements without gaps, with boxes of `rows` rows.
static TensorMap mapOf(const char *type, unsigned tensorRows, unsigned rows) {
  TensorMap map;
  map.rank = 2;
  map.type = *tensorTypeNamed(type);
  map.dims = {128, tensorRows};
  map.strides = {map.packedBytes(128)};
  map.box = {128, rows};
  return map;
}

static TensorMap with(TensorMap map, Swizzle swizzle, Atomicity atomicity = Atomicity::Bytes16) {
  map.swizzle = uint8_t(swizzle);
  map.atomicity = uint8_t(atomicity);
  return map;
}

/// Rows of numbers: 100 * row + word.
static Words rowsOf(unsigned rows, unsigned words) {
  Words tensor;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned word = 0; word < words; ++word)
      tensor.push_back(100 * row + word);
  return tensor;
}

static std::string loadOf(const std::string &coordinates, unsigned bytes,
                          const std::string &mode = "tile") {
  return init + expect(std::to_string(bytes)) + "cp.async.bulk.tensor.2d.shared::cta.global." +
         mode + ".mbarrier::complete_tx::bytes [tile], [%rd2, {" + coordinates + "}], [bar];\n" +
         waitFor("0");
}

static std::string storeOf(const std::string &coordinates) {
  return fence + "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {" +
         coordinates + "}], [tile];\n" + commit + waitAll;
}

/// Copies these words of `tile` to the result.
static std::string copyOut(const Words &words) {
  std::string code;
  for (size_t number = 0; number < words.size(); ++number)
    code += "ld.shared.u32 %r3, [tile+" + std::to_string(4 * words[number]) +
            "];\nst.global.u32 [%rd1+" + std::to_string(4 * number) + "], %r3;\n";
  return code;
}

/// Runs code under all schedules; the first finding, or `nothing`.
static std::string findingOf(const std::string &code, const Words &tensor, const TensorMap &map,
                             Words *out = nullptr, Words *stored = nullptr) {
  std::string found;
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel(code, tensor, map, schedule);
    kernel.run();
    const std::string now = kernel.firstFinding();
    EXPECT_TRUE(found.empty() || found == now) << found << "\n" << now;
    found = now;
    if (out)
      *out = Kernel::values<uint32_t>(*kernel.memory.find(globalBase));
    if (stored)
      *stored = Kernel::values<uint32_t>(*kernel.tensor);
  }
  return found;
}

/// These words of `tile` after a load whose mbarrier expects `bytes`.
static Words loaded(const TensorMap &map, const Words &tensor, const std::string &coordinates,
                    unsigned bytes, const Words &words, const std::string &mode = "tile") {
  Words out;
  EXPECT_EQ(findingOf(loadOf(coordinates, bytes, mode) + copyOut(words), tensor, map, &out),
            "nothing");
  out.resize(words.size());
  return out;
}

//===-- Padded elements ---------------------------------------------------------------------===//

TEST(PackedTensors, LoadsPadFourBits) {
  // 16 elements, two words, are followed by two words of padding. A row has 64 bytes in global
  // memory, which are counted, and 128 in shared memory.
  const TensorMap map = mapOf("b4x16_p64", 3, 2);
  EXPECT_EQ(map.boxBytes(), 128u);
  EXPECT_EQ(map.rowPitch(), 128u);
  EXPECT_EQ(loaded(map, rowsOf(3, 16), "0, 1", 128, {0, 1, 4, 5, 28, 29, 32, 33, 60, 61}),
            (Words{100, 101, 102, 103, 114, 115, 200, 201, 214, 215}));
  EXPECT_EQ(findingOf(loadOf("0, 1", 256), rowsOf(3, 16), map).substr(0, 8), "deadlock");
}

TEST(PackedTensors, LoadsPadSixBits) {
  // 16 elements, three words, are followed by a word of padding; a row has 96 bytes.
  EXPECT_EQ(loaded(mapOf("b6x16_p32", 3, 2), rowsOf(3, 24), "0, 1", 192,
                   {0, 1, 2, 4, 5, 6, 28, 29, 30, 32, 62}),
            (Words{100, 101, 102, 103, 104, 105, 121, 122, 123, 200, 223}));
}

TEST(PackedTensors, SwizzlesMovePaddedChunks) {
  // The first words of the eight chunks of 16 bytes of row 3. With chunks of 16 bytes, chunk c is
  // at c ^ 3: the order is 3 2 1 0 7 6 5 4. With chunks of 32 bytes, it is 6 7 4 5 2 3 0 1.
  const Words chunks = {96, 100, 104, 108, 112, 116, 120, 124};
  const TensorMap four = mapOf("b4x16_p64", 4, 4), six = mapOf("b6x16_p32", 4, 4);
  const Words fours = rowsOf(4, 16), sixes = rowsOf(4, 24);
  EXPECT_EQ(loaded(with(four, Swizzle::Bytes128), fours, "0, 0", 256, chunks),
            (Words{306, 304, 302, 300, 314, 312, 310, 308}));
  EXPECT_EQ(loaded(with(four, Swizzle::Bytes128, Atomicity::Bytes32), fours, "0, 0", 256, chunks),
            (Words{312, 314, 308, 310, 304, 306, 300, 302}));
  EXPECT_EQ(loaded(with(six, Swizzle::Bytes128), sixes, "0, 0", 384, chunks),
            (Words{309, 306, 303, 300, 321, 318, 315, 312}));
  EXPECT_EQ(loaded(with(six, Swizzle::Bytes128, Atomicity::Bytes32), sixes, "0, 0", 384, chunks),
            (Words{318, 321, 312, 315, 306, 309, 300, 303}));
}

TEST(PackedTensors, LoadsFillPaddedRows) {
  // The second half of rows of 256 elements; the row behind the tensor is zero, and counted.
  TensorMap map = mapOf("b4x16_p64", 2, 2);
  map.dims[0] = 256;
  map.strides = {128};
  const Words tensor = rowsOf(2, 32), words = {0, 1, 4, 29, 32, 33, 61};
  EXPECT_EQ(loaded(map, tensor, "128, 1", 128, words), (Words{116, 117, 118, 131, 0, 0, 0}));
  EXPECT_EQ(loaded(map, tensor, "256, 0", 128, words), Words(7));
  EXPECT_EQ(loaded(map, tensor, "-128, -1", 128, words), Words(7));
  EXPECT_EQ(loaded(map, tensor, "0, -1", 128, words), (Words{0, 0, 0, 0, 0, 1, 15}));
}

TEST(PackedTensors, GatherPaddedRows) {
  EXPECT_EQ(loaded(mapOf("b4x16_p64", 3, 1), rowsOf(3, 16), "0, 2, 9, 0, 1", 256,
                   {0, 1, 29, 32, 64, 65, 96, 97}, "tile::gather4"),
            (Words{200, 201, 215, 0, 0, 1, 100, 101}));
}

TEST(PackedTensors, LoadsLeavePaddingUndefined) {
  for (const auto &[type, padding] : {std::pair("b4x16_p64", 8), std::pair("b6x16_p32", 12)}) {
    const TensorMap map = mapOf(type, 2, 1);
    const std::string first = "st.shared.v4.u32 [tile], {1, 2, 3, 4};\n" + fence;
    const std::string load = first + loadOf("0, 0", unsigned(map.packedBytes(128)));
    const auto findingAt = [&](int byte) {
      return findingOf(load + copyOut({uint32_t(byte / 4)}), rowsOf(2, 24), map).substr(0, 15);
    };
    EXPECT_EQ(findingAt(padding - 4), "nothing");
    EXPECT_EQ(findingAt(padding), "undefined-value");
  }
}

//===-- Unpadded elements -------------------------------------------------------------------===//

TEST(PackedTensors, LoadsOfFourBits) {
  // Rows of 50 elements, 25 bytes; from element 32 on, 9 bytes are inside.
  TensorMap map = mapOf("b4x16", 2, 2);
  map.dims[0] = 50;
  map.strides = {32};
  map.box = {64, 2};
  Words tensor;
  for (uint32_t word = 1; word <= 16; ++word)
    tensor.push_back(0x01010101 * word);
  const Words words = {0, 1, 2, 3, 8, 9, 10, 11};
  EXPECT_EQ(loaded(map, tensor, "32, 0", 64, words),
            (Words{0x05050505, 0x06060606, 0x07, 0, 0x0D0D0D0D, 0x0E0E0E0E, 0x0F, 0}));
  EXPECT_EQ(loaded(map, tensor, "-6, 1", 64, words),
            (Words{0x09000000, 0x0A090909, 0x0B0A0A0A, 0x0C0B0B0B, 0, 0, 0, 0}));
}

TEST(PackedTensors, SwizzlesOfFourBits) {
  // The second row of the tensor is row 5, 3 or 1 of the box, where neighbouring chunks of 16 bytes
  // are exchanged.
  const auto rowOf = [](Swizzle swizzle, unsigned bytes) {
    const unsigned row = bytes == 32 ? 5 : bytes == 64 ? 3 : 1;
    TensorMap map = with(mapOf("b4x16", 2, row + 1), swizzle);
    map.dims[0] = map.box[0] = 2 * bytes;
    map.strides = {bytes};
    Words words;
    for (unsigned word = 0; word < bytes / 4; ++word)
      words.push_back(row * bytes / 4 + word);
    return loaded(map, rowsOf(2, bytes / 4), "0, " + std::to_string(1 - int(row)),
                  (row + 1) * bytes, words);
  };
  EXPECT_EQ(rowOf(Swizzle::Bytes32, 32), (Words{104, 105, 106, 107, 100, 101, 102, 103}));
  EXPECT_EQ(rowOf(Swizzle::Bytes64, 64), (Words{104, 105, 106, 107, 100, 101, 102, 103, 112, 113,
                                                114, 115, 108, 109, 110, 111}));
  EXPECT_EQ(
      rowOf(Swizzle::Bytes128, 128),
      (Words{104, 105, 106, 107, 100, 101, 102, 103, 112, 113, 114, 115, 108, 109, 110, 111,
             120, 121, 122, 123, 116, 117, 118, 119, 128, 129, 130, 131, 124, 125, 126, 127}));
}

//===-- Stores ------------------------------------------------------------------------------===//

TEST(PackedTensors, StoresOfFourBits) {
  // Rows of 34 elements: of a row of 16 bytes from element 16 on, 9 bytes are inside.
  TensorMap map = mapOf("b4x16", 2, 2);
  map.dims[0] = 34;
  map.strides = {32};
  map.box = {32, 2};
  Words stored;
  const std::string fill = "st.shared.v4.u32 [tile], {0x11111111, 0x22222222, 0x33333333, 4};\n"
                           "st.shared.v4.u32 [tile+16], {5, 6, 0x77, 8};\n";
  EXPECT_EQ(findingOf(fill + storeOf("16, 0"), rowsOf(2, 8), map, nullptr, &stored), "nothing");
  EXPECT_EQ(stored, (Words{0, 1, 0x11111111, 0x22222222, 0x33, 5, 6, 7, 100, 101, 5, 6, 0x77, 105,
                           106, 107}));
}

/// Fills two rows of `tile` of 128 bytes: zeros but for the first chunk of row 0, and for chunk 3
/// of row 1.
static std::string fillSixBits(const std::string &first, const std::string &second) {
  std::string code;
  for (unsigned chunk = 0; chunk < 16; ++chunk)
    code += "st.shared.v4.u32 [tile+" + std::to_string(16 * chunk) + "], {" +
            (chunk == 0    ? first
             : chunk == 11 ? second
                           : "0, 0, 0, 0") +
            "};\n";
  return code;
}

TEST(PackedTensors, StoresPackSixBits) {
  // Elements 3F 0 3F 0, in bytes whose upper 2 bits are ignored, are the bits 111111 000000 111111
  // 000000 from the lowest on: bytes 3F F0 03. Elements 1 2 3 4 are 1 + (2 << 6) + (3 << 12) +
  // (4 << 18) = 0x103081: bytes 81 30 10.
  const std::string alternate = "0x00FFC0FF, 0x003F003F, 0xC0FF00FF, 0x003F003F";
  const std::string counted = "0x04030201, 0x04030201, 0x44C38201, 0x04030201";
  const auto storedWith = [&](const TensorMap &map) {
    Words stored;
    EXPECT_EQ(findingOf(fillSixBits(alternate, counted) + storeOf("0, 0"), rowsOf(2, 24), map,
                        nullptr, &stored),
              "nothing");
    return stored;
  };
  const auto expected = [](unsigned chunk) {
    Words words(48);
    std::ranges::copy(Words{0x3F03F03F, 0xF03F03F0, 0x03F03F03}, words.begin());
    std::ranges::copy(Words{0x81103081, 0x30811030, 0x10308110}, words.begin() + 24 + 3 * chunk);
    return words;
  };
  const TensorMap map = mapOf("b6x16_p32", 2, 2);
  EXPECT_EQ(storedWith(map), expected(3));
  // In row 1, place 3 has chunk 2 if chunks of 16 bytes move, chunk 1 if chunks of 32 bytes do, and
  // chunk 7 if chunks of 64 bytes do.
  EXPECT_EQ(storedWith(with(map, Swizzle::Bytes128)), expected(2));
  EXPECT_EQ(storedWith(with(map, Swizzle::Bytes128, Atomicity::Bytes32)), expected(1));
  EXPECT_EQ(storedWith(with(map, Swizzle::Bytes128, Atomicity::Bytes64)), expected(7));
}

TEST(PackedTensors, StoresOfSixBitsTrackUndefinedElements) {
  EXPECT_EQ(findingOf("st.shared.v4.u32 [tile], {1, 2, 3, 4};\n" + storeOf("0, 0"), rowsOf(2, 24),
                      mapOf("b6x16_p32", 2, 1))
                .substr(0, 15),
            "undefined-value");
}

//===-- Rules -------------------------------------------------------------------------------===//

TEST(PackedTensors, ReportInvalidMaps) {
  const auto errorOf = [](const char *type, auto change) {
    TensorMap map = mapOf(type, 2, 2);
    map.address = 0x1000;
    change(map);
    return map.findError().value_or("");
  };
  const auto nothing = [](TensorMap &) {};
  for (const char *type : {"b4x16", "b4x16_p64", "b6x16_p32"})
    EXPECT_EQ(errorOf(type, nothing), "");
  EXPECT_EQ(errorOf("b4x16_p64", [](TensorMap &map) { map.address = 0x1010; }),
            "the address of a tensor is a multiple of 32");
  EXPECT_EQ(errorOf("b4x16", [](TensorMap &map) { map.address = 0x1010; }), "");
  EXPECT_EQ(errorOf("b6x16_p32", [](TensorMap &map) { map.strides = {112}; }),
            "a stride is a multiple of 32 bytes below 2^40, but 112 in dimension 1");
  EXPECT_EQ(errorOf("b6x16_p32", [](TensorMap &map) { map.dims[0] = 192; }),
            "dimension 0 of a tensor has a multiple of 128 elements of type b6x16_p32, but 192");
  EXPECT_EQ(errorOf("b4x16", [](TensorMap &map) { map.dims[0] = 33; }),
            "dimension 0 of a tensor has a multiple of 2 elements of type b4x16, but 33");
  EXPECT_EQ(errorOf("b4x16_p64", [](TensorMap &map) { map.box[0] = 64; }),
            "a box has 128 elements of type b4x16_p64 in dimension 0, but 64");
  EXPECT_EQ(errorOf("b4x16", [](TensorMap &map) { map.box[0] = 33; }),
            "a row of a box has a multiple of 16 bytes, but 132 bits");
  EXPECT_EQ(errorOf("b4x16", [](TensorMap &map) { map.swizzle = 1; }),
            "a row of a box has 64 bytes, but the swizzle spans 32");
  EXPECT_EQ(errorOf("b4x16", [](TensorMap &map) { map.fill = 1; }),
            "elements of type b4x16 are not filled with NaN");
  EXPECT_EQ(errorOf("b4x16_p64", [](TensorMap &map) { map.swizzle = 2; }),
            "elements of type b4x16_p64 are not swizzled, or by 128 bytes");
  const auto wideAtoms = [](TensorMap &map) {
    map = with(map, Swizzle::Bytes128, Atomicity::Bytes64);
  };
  EXPECT_EQ(errorOf("b4x16_p64", wideAtoms),
            "elements of type b4x16_p64 have no swizzle atomicity of 64 bytes");
  EXPECT_EQ(errorOf("b6x16_p32", wideAtoms), "");
  EXPECT_EQ(errorOf("b4x16", [](TensorMap &map) { map.type = 16; }),
            "elements of type number 16 are not supported");
}

TEST(PackedTensors, ReportInvalidCopies) {
  const Words tensor = rowsOf(2, 24);
  const TensorMap four = mapOf("b4x16", 2, 1), padded = mapOf("b4x16_p64", 2, 1),
                  six = mapOf("b6x16_p32", 2, 1);
  const std::string tensorMap = "tensor-map: tensor map: ";
  EXPECT_EQ(findingOf(loadOf("64, 0", 64), tensor, padded),
            tensorMap + "the first coordinate of elements of type b4x16_p64 is a multiple of 128, "
                        "but 64");
  EXPECT_EQ(findingOf(loadOf("3, 0", 64), tensor, four),
            tensorMap + "the first coordinate of elements of type b4x16 is a multiple of 2, but 3");
  EXPECT_EQ(findingOf(storeOf("0, 0"), tensor, padded),
            tensorMap + "elements of type b4x16_p64 are not stored");
  EXPECT_EQ(findingOf(loadOf("0, 0", 96), tensor, with(six, Swizzle::Bytes128, Atomicity::Bytes64)),
            tensorMap + "elements of type b6x16_p32 are not loaded with a swizzle atomicity of 64 "
                        "bytes");
  for (const std::string name : {"add", "or"})
    EXPECT_EQ(findingOf(fence + "cp.reduce.async.bulk.tensor.2d.global.shared::cta." + name +
                            ".tile.bulk_group [%rd2, {0, 0}], [tile];\n",
                        tensor, four),
              tensorMap + "its elements of type b4x16 have no reduction '" + name + "'");
}
