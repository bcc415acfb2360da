// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Gpus.h.

#include "tilewright/api/explore/Gpus.h"

using namespace tilewright;
using namespace tilewright::api;

// Where documents give peaks with sparsity, half of it.
static constexpr double giga = 1e9, tera = 1e12;
static constexpr Gpu products[] = {
    // NVIDIA T4 data sheet; FP64 is 1/32 of FP32 (Turing architecture paper).
    {"T4", "sm_75", 300 * giga, {0.253 * tera, 8.1 * tera, 0, 65 * tera, 0, 130 * tera}, 40},
    // NVIDIA A100 data sheet.
    {"A100 SXM 80 GB",
     "sm_80",
     2039 * giga,
     {9.7 * tera, 19.5 * tera, 156 * tera, 312 * tera, 0, 624 * tera, 19.5 * tera},
     108},
    // NVIDIA Ada GPU architecture paper, appendix A; FP64 is 1/64 of FP32.
    {"RTX 4090",
     "sm_89",
     1008 * giga,
     {1.29 * tera, 82.6 * tera, 82.6 * tera, 165.2 * tera, 330.3 * tera, 660.6 * tera},
     128},
    // NVIDIA H100 data sheet and Hopper architecture paper.
    {"H100 SXM",
     "sm_90a",
     3350 * giga,
     {34 * tera, 67 * tera, 494.7 * tera, 989.4 * tera, 1978.9 * tera, 1978.9 * tera, 67 * tera},
     132},
    // NVIDIA H200 data sheet: an H100 with other memory.
    {"H200 SXM",
     "sm_90a",
     4800 * giga,
     {34 * tera, 67 * tera, 494.7 * tera, 989.4 * tera, 1978.9 * tera, 1978.9 * tera, 67 * tera},
     132},
    // NVIDIA Blackwell data sheet, HGX B200. Announcements had 8 TB/s.
    {"B200 SXM",
     "sm_100a",
     7700 * giga,
     {37 * tera, 75 * tera, 1125 * tera, 2250 * tera, 4500 * tera, 4500 * tera},
     148},
    // NVIDIA RTX Blackwell GPU architecture paper, appendix A; FP64 is 1/64 of FP32.
    {"RTX 5090",
     "sm_120a",
     1792 * giga,
     {1.64 * tera, 104.8 * tera, 104.8 * tera, 209.5 * tera, 419 * tera, 838 * tera},
     170},
};

llvm::ArrayRef<Gpu> api::gpus() { return products; }
