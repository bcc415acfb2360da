// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Output.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace tilewright::runtime;

static void print(Output &output, int64_t range, std::string_view text) {
  output.print(range, [&](const TextSink &out) {
    // One character at a time, as tiles are printed.
    for (char c : text)
      out({&c, 1});
  });
}

TEST(Output, BuffersTextUntilRangeIsCurrent) {
  std::string text;
  const TextSink sink = [&](std::string_view part) { text += part; };
  Output output(sink, Output::Order::OfRanges);
  print(output, 1, "b");
  print(output, 2, "d");
  EXPECT_EQ(text, "");
  print(output, 0, "a");
  EXPECT_EQ(text, "a"); // at once
  output.endRange(2);
  output.endRange(0);
  // Range 1 has not ended: its text is written at once, too.
  print(output, 1, "c");
  EXPECT_EQ(text, "abc");
  output.endRange(1);
  EXPECT_EQ(text, "abcd");
  // Ranges that print nothing are skipped.
  output.endRange(4);
  print(output, 5, "e");
  EXPECT_EQ(text, "abcd");
  output.endRange(3);
  output.endRange(5);
  EXPECT_EQ(text, "abcde");
}

TEST(Output, AsPrintedKeepsPrintOrder) {
  std::string text;
  const TextSink sink = [&](std::string_view part) { text += part; };
  Output output(sink, Output::Order::AsPrinted);
  print(output, 2, "ab");
  print(output, 0, "cd");
  output.endRange(2);
  EXPECT_EQ(text, "abcd");
}

// A range that would buffer too much waits until it is current.
TEST(Output, BoundsBufferedText) {
  std::string text;
  std::atomic<size_t> written = 0;
  const TextSink sink = [&](std::string_view part) {
    text += part;
    written = text.size();
  };
  Output output(sink, Output::Order::OfRanges, /*bufferBytes=*/10);
  std::thread second([&] {
    print(output, 1, std::string(100, 'b'));
    print(output, 1, "c");
    output.endRange(1);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(written, 0u);
  print(output, 0, "a");
  output.endRange(0);
  second.join();
  EXPECT_EQ(text, "a" + std::string(100, 'b') + "c");
}

TEST(Output, OrdersTextOfManyThreads) {
  std::string text, expected;
  const TextSink sink = [&](std::string_view part) { text += part; };
  constexpr int64_t ranges = 500;
  for (int64_t range = 0; range < ranges; ++range)
    expected += std::to_string(range) + "," + std::to_string(range) + ";";
  for (int64_t bufferBytes : {0, 7, 100000}) {
    text.clear();
    Output output(sink, Output::Order::OfRanges, bufferBytes);
    std::atomic<int64_t> next = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int64_t range; (range = next++) < ranges;) {
          print(output, range, std::to_string(range) + ",");
          print(output, range, std::to_string(range) + ";");
          output.endRange(range);
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(text, expected);
  }
}
