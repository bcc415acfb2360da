// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which polynomials stand for exp, log, sine and the others? Written by
// math/minimax.py, which says how they are found; errors are relative to the result.
// Tables named Single are for arithmetic in f32, Double for f64; Short ones are for f64
// where the result is an f32.

#ifndef TILEWRIGHT_CPU_MATHTABLES_H
#define TILEWRIGHT_CPU_MATHTABLES_H

#include <cstdint>

namespace tilewright::cpu::tables {

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; error 2^-28.24.
inline constexpr double expSingle[] = {
    0x1.fffffc0000000p-2, 0x1.5554920000000p-3,  0x1.5558ba0000000p-5,
    0x1.1239b40000000p-7, 0x1.6a43540000000p-10,
};

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; error 2^-34.16.
inline constexpr double expShort[] = {
    0x1.0000003a61f21p-1, 0x1.555554421ff0ap-3,  0x1.55548d2534270p-5,
    0x1.1112718808731p-7, 0x1.6d8da306bec34p-10, 0x1.9f08952f84094p-13,
};

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; error 2^-57.83.
inline constexpr double expDouble[] = {
    0x1.000000000000ap-1,  0x1.5555555555508p-3,  0x1.55555555505a7p-5,  0x1.1111111123543p-7,
    0x1.6c16c184cef81p-10, 0x1.a01a0145cdffbp-13, 0x1.a0199850faf23p-16, 0x1.71dee24f538e7p-19,
    0x1.28af007682456p-22, 0x1.adefc4bfd7e1ap-26,
};

/// ln 2; |n| < 2^9 times the first is exact in f32.
inline constexpr double ln2Single[] = {
    0x1.62e4p-1,
    0x1.7f7d1c0000000p-20,
};

/// ln 2; |n| < 2^12 times the first is exact in f64.
inline constexpr double ln2Double[] = {
    0x1.62e42fefa4000p-1,
    -0x1.8432a1b0e2634p-43,
};

/// (2^r - 1) / r for |r| <= 1/2; error 2^-28.32.
inline constexpr double exp2Single[] = {
    0x1.62e4300000000p-1, 0x1.ebfbdc0000000p-3,  0x1.c6af7c0000000p-5,
    0x1.3b2de00000000p-7, 0x1.5f08300000000p-10, 0x1.416b6a0000000p-13,
};

/// (2^r - 1) / r for |r| <= 1/2; error 2^-34.3.
inline constexpr double exp2Short[] = {
    0x1.62e42ff0e4112p-1,  0x1.ebfbe0776e3f1p-3,  0x1.c6b08ab833201p-5,  0x1.3b29f39c3e9fcp-7,
    0x1.5d8a8dad3828dp-10, 0x1.445c906b4b1a1p-13, 0x1.fdde708ee7760p-17,
};

/// (2^r - 1) / r for |r| <= 1/2; error 2^-59.33.
inline constexpr double exp2Double[] = {
    0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58ep-3,  0x1.c6b08d704a1d5p-5,  0x1.3b2ab6fba526dp-7,
    0x1.5d87fe787365fp-10, 0x1.430912f706865p-13, 0x1.ffcbfd502b874p-17, 0x1.62c028896d8c3p-20,
    0x1.b5231fd27c4d8p-24, 0x1.e4b667743e163p-28, 0x1.ec9164a13aff1p-32, 0x1.e7f016c614254p-36,
};

/// (log(1+f) - f + f^2/2) / f^3 for 1+f in [2/3, 4/3]; error 2^-27.68.
inline constexpr double logSingle[] = {
    0x1.5555060000000p-2, -0x1.fffefc0000000p-3, 0x1.99d0440000000p-3, -0x1.559c440000000p-3,
    0x1.1ed6620000000p-3, -0x1.f333060000000p-4, 0x1.1e67980000000p-3, -0x1.07c85c0000000p-3,
};

/// log2(1+f) / f, likewise; error 2^-41.16.
inline constexpr double log2Short[] = {
    0x1.71547652b8171p+0, -0x1.71547652f161cp-1, 0x1.ec709dc56225dp-2, -0x1.715475bdda020p-2,
    0x1.2776c3c22392fp-2, -0x1.ec710d906bbfdp-3, 0x1.a6181d4f2b2b9p-3, -0x1.714207b73d2e6p-3,
    0x1.4831888d11d9bp-3, -0x1.29032afefecbep-3, 0x1.0e7c1ba28f68cp-3, -0x1.c94c15592b886p-4,
    0x1.9fe8f4d99fbebp-4, -0x1.34d9327013711p-3, 0x1.28411c13a6be1p-3,
};

/// (log((1+s)/(1-s)) - 2s) / s^3 in z = s^2, 1+f = (1+s)/(1-s) likewise; error 2^-62.65.
inline constexpr double logRatioDouble[] = {
    0x1.555555555554fp-1, 0x1.999999999c17bp-2, 0x1.24924921e4416p-2, 0x1.c71c748fb8f92p-3,
    0x1.745c4ae072345p-3, 0x1.3b35bfdaf3c3cp-3, 0x1.0dcba9bc887e4p-3, 0x1.1b80f5a1843dap-3,
};

/// 1 / ln 2; 12 bits times the first are exact in f32.
inline constexpr double log2eSingle[] = {
    0x1.7160p+0,
    -0x1.7135a80000000p-13,
};

/// 1 / ln 2; 27 bits times the first are exact in f64.
inline constexpr double log2eDouble[] = {
    0x1.7154768000000p+0,
    -0x1.6a3e80f444178p-27,
};

/// (sinh r / r - 1) / z in z = r^2 for |r| <= ln 2 / 2; error 2^-37.47.
inline constexpr double sinhShort[] = {
    0x1.5555557386c6cp-3,
    0x1.1110b1b3768edp-7,
    0x1.a170242dd4f9cp-13,
};

/// (cosh r - 1) / z in z = r^2 for |r| <= ln 2 / 2; error 2^-45.92.
inline constexpr double coshShort[] = {
    0x1.ffffffffee8c4p-2,
    0x1.55555581ab762p-5,
    0x1.6c1635acfeaa7p-10,
    0x1.a174aa7a8d0cfp-16,
};

/// (sinh r / r - 1) / z, likewise; error 2^-65.15.
inline constexpr double sinhDouble[] = {
    0x1.5555555555555p-3,  0x1.1111111111388p-7,  0x1.a01a019e9f995p-13,
    0x1.71de40864936dp-19, 0x1.ae4cc3553d336p-26, 0x1.82c7e84d21f3ap-33,
};

/// (cosh r - 1) / z, likewise; error 2^-70.01.
inline constexpr double coshDouble[] = {
    0x1.0000p-1,           0x1.5555555555558p-5,  0x1.6c16c16c14ff0p-10,
    0x1.a01a01ad87105p-16, 0x1.27e4cbf660d7fp-22, 0x1.1f8c1424c1e24p-29,
};

/// (sin r / r - 1) / z in z = r^2 for |r| <= pi/2; error 2^-35.29.
inline constexpr double sineShort[] = {
    -0x1.5555554746278p-3, 0x1.11110c40645e7p-7,   -0x1.a017d6616a749p-13,
    0x1.71701263e3dcfp-19, -0x1.9a5e9b2c57b92p-26,
};

/// likewise for |r| <= pi/4; error 2^-37.48.
inline constexpr double sineEighthShort[] = {
    -0x1.5555554c60bbep-3,
    0x1.1111085dd6c55p-7,
    -0x1.a00f74e9446d3p-13,
    0x1.6ccf7895dc307p-19,
};

/// (cos r - 1 + z/2) / z^2 in z = r^2 for |r| <= pi/4; error 2^-42.92.
inline constexpr double cosineEighthShort[] = {
    0x1.5555554ecbf5dp-5,
    -0x1.6c16b81b9e426p-10,
    0x1.a010d555792b9p-16,
    -0x1.241ca8fe40f28p-22,
};

/// (sin r / r - 1) / z, likewise; error 2^-57.86.
inline constexpr double sineEighthDouble[] = {
    -0x1.5555555555548p-3, 0x1.111111110f730p-7,   -0x1.a01a019bea7aep-13,
    0x1.71de355796f1bp-19, -0x1.ae5e4e4c1ef0cp-26, 0x1.5d8c5e3f64990p-33,
};

/// (cos r - 1 + z/2) / z^2, likewise; error 2^-63.9.
inline constexpr double cosineEighthDouble[] = {
    0x1.555555555554bp-5,   -0x1.6c16c16c15006p-10, 0x1.a01a019c8ca11p-16,
    -0x1.27e4f7ef2a181p-22, 0x1.1ee9d9da8735dp-29,  -0x1.8fa55dbc04465p-37,
};

/// pi/2; |n| < 2^20 times all but the last are exact in f64.
inline constexpr double halfPiDouble[] = {
    0x1.921fb54400000p+0,
    0x1.0b4611a600000p-34,
    0x1.3198a2e000000p-69,
    0x1.b839a252049c1p-104,
};

/// 2/pi below 64 bits of zero.
inline constexpr uint64_t twoOverPi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/// pi; |n| < 2^21 times the first is exact in f64.
inline constexpr double piDouble[] = {
    0x1.921fb54400000p+1,
    0x1.0b4611a626331p-33,
};

/// (atan q / q - 1) / z in z = q^2 for |q| <= 1; error 2^-36.54.
inline constexpr double arctangentShort[] = {
    -0x1.5555552f288dap-2, 0x1.9999846cabd56p-3, -0x1.2490392bf2acbp-3, 0x1.c6e85bb4e36a5p-4,
    -0x1.72d635b3ca7e0p-4, 0x1.33a180f311511p-4, -0x1.f02ffca1a1a8bp-5, 0x1.69eaf0b278328p-5,
    -0x1.b2f6cfc64ebf7p-6, 0x1.81f83c2391867p-7, -0x1.b40537e9f2f20p-9, 0x1.ce1d8dab9aff6p-12,
};

/// (atan q / q - 1) / z in z = q^2 for |q| <= tan(pi/8); error 2^-59.29.
inline constexpr double arctangentDouble[] = {
    -0x1.555555555553cp-2, 0x1.999999999564ep-3, -0x1.24924922a0a44p-3, 0x1.c71c70e140e69p-4,
    -0x1.745cf856369e8p-4, 0x1.3b1110035671ep-4, -0x1.10eb52e220339p-4, 0x1.df099dabc386ap-5,
    -0x1.9cb96f111b934p-5, 0x1.3795d8d35c83ap-5, -0x1.24df56c4f36c5p-6,
};

/// pi/4; up to 4 times the first is exact in f64.
inline constexpr double eighthTurnDouble[] = {
    0x1.921fb54442d18p-1,
    0x1.1a62633145c07p-55,
};

/// ((log((1+s)/(1-s)) / 2s - 1) / z - 1/3) / z in z = s^2, as above; error 2^-69.01.
inline constexpr double logPowerDouble[] = {
    0x1.9999999999967p-3, 0x1.2492492498f15p-3, 0x1.c71c71bc4eeb3p-4, 0x1.745d1bd152941p-4,
    0x1.3b12963c348a5p-4, 0x1.113a559416f7cp-4, 0x1.dac93e9bf2d36p-5, 0x1.019394f878546p-4,
};

/// 1/3.
inline constexpr double thirdDouble[] = {
    0x1.5555555555555p-2,
    0x1.5555555555555p-56,
};

/// 2 / ln 2.
inline constexpr double twoLog2eDouble[] = {
    0x1.71547652b82fep+1,
    0x1.777d0ffda0d24p-55,
};

} // namespace tilewright::cpu::tables

#endif // TILEWRIGHT_CPU_MATHTABLES_H
