// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which polynomials stand for exp, log, sine and the others? Written by
// minimax.py, which says how they are found; errors are relative to the result.
// Tables named Single are for arithmetic in f32, Double for f64; Short ones are for f64
// where the result is an f32.

#ifndef TILEWRIGHT_ELEMENTWISE_MATHTABLES_H
#define TILEWRIGHT_ELEMENTWISE_MATHTABLES_H

#include <cstdint>

namespace tilewright::elementwise::tables {

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; error 2^-33.23.
inline constexpr double expSingle[] = {
    0x1p-1, 0x1.555554p-3, 0x1.5554e8p-5, 0x1.11131p-7, 0x1.6d4cdcp-10, 0x1.9df818p-13,
};

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; error 2^-34.16.
inline constexpr double expShort[] = {
    0x1.0000003a668edp-1, 0x1.555554422fb4p-3,   0x1.55548d23c1f25p-5,
    0x1.111271709a451p-7, 0x1.6d8da1a03270cp-10, 0x1.9f08b1a8e793cp-13,
};

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; error 2^-63.79.
inline constexpr double expDouble[] = {
    0x1p-1,
    0x1.555555555555ap-3,
    0x1.555555555553p-5,
    0x1.111111110f14fp-7,
    0x1.6c16c16c27528p-10,
    0x1.a01a01b1f2b75p-13,
    0x1.a01a01508c63dp-16,
    0x1.71ddf35d420e2p-19,
    0x1.27e59167550ccp-22,
    0x1.af670cede4467p-26,
    0x1.1e5ffcd52576bp-29,
};

/// ln 2; |n| < 2^9 times the first is exact in f32.
inline constexpr double ln2Single[] = {
    0x1.62e4p-1,
    0x1.7f7d1cp-20,
};

/// ln 2; |n| < 2^12 times the first is exact in f64.
inline constexpr double ln2Double[] = {
    0x1.62e42fefa4p-1,
    -0x1.8432a1b0e2634p-43,
};

/// (2^r - 1) / r for |r| <= 1/2; error 2^-28.32.
inline constexpr double exp2Single[] = {
    0x1.62e43p-1, 0x1.ebfbdcp-3, 0x1.c6af7ap-5, 0x1.3b2dcep-7, 0x1.5f093ep-10, 0x1.417e52p-13,
};

/// (2^r - 1) / r for |r| <= 1/2; error 2^-28.91.
inline constexpr double exp2Short[] = {
    0x1.62e430ae9aca4p-1, 0x1.ebfbdc3c21d67p-3,  0x1.c6aee8ef0d0bep-5,
    0x1.3b2d4c8e4a33ep-7, 0x1.5f3e38ec9c9b8p-10, 0x1.41fc3c1bede11p-13,
};

/// (2^r - 1) / r for |r| <= 1/2; error 2^-59.71.
inline constexpr double exp2Double[] = {
    0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58ep-3,  0x1.c6b08d704a1d5p-5,  0x1.3b2ab6fba51ap-7,
    0x1.5d87fe7873fbp-10,  0x1.430912f7570c9p-13, 0x1.ffcbfd4b237dbp-17, 0x1.62c027220a7a5p-20,
    0x1.b5232dab2812dp-24, 0x1.e4bbbd7fd05dep-28, 0x1.ec78b9063537p-32,  0x1.e094f9eb9a64ap-36,
};

/// (log(1+f) - f + f^2/2) / f^3 for 1+f in [2/3, 4/3]; error 2^-27.68.
inline constexpr double logSingle[] = {
    0x1.555506p-2, -0x1.fffefcp-3, 0x1.99d04p-3,  -0x1.559c42p-3,
    0x1.1ed6b8p-3, -0x1.f33354p-4, 0x1.1e65cap-3, -0x1.07c798p-3,
};

/// log2(1+f) / f, likewise; error 2^-35.86.
inline constexpr double log2Short[] = {
    0x1.71547652bbe3cp+0, -0x1.7154764b35129p-1, 0x1.ec709d90528c2p-2, -0x1.715484fa8567fp-2,
    0x1.2776e203e939ep-2, -0x1.ec687b524232ap-3, 0x1.a60b35567961cp-3, -0x1.724a7beaeef1dp-3,
    0x1.49806700386c6p-3, -0x1.1984f63005551p-3, 0x1.fa2d5a2ef8e1bp-4, -0x1.542f50a4700ffp-3,
    0x1.428affb6a5417p-3,
};

/// (log((1+s)/(1-s)) - 2s) / s^3 in z = s^2, 1+f = (1+s)/(1-s) likewise; error 2^-62.64.
inline constexpr double logRatioDouble[] = {
    0x1.555555555554fp-1, 0x1.999999999c17bp-2, 0x1.24924921e4427p-2, 0x1.c71c748fb7489p-3,
    0x1.745c4ae08bbefp-3, 0x1.3b35bfebd82ffp-3, 0x1.0dcba6ffd7c6p-3,  0x1.1b811394595b2p-3,
};

/// 1 / ln 2; 12 bits times the first are exact in f32.
inline constexpr double log2eSingle[] = {
    0x1.716p+0,
    -0x1.7135a8p-13,
};

/// 1 / ln 2; 27 bits times the first are exact in f64.
inline constexpr double log2eDouble[] = {
    0x1.7154768p+0,
    -0x1.6a3e80f444178p-27,
};

/// (sinh r / r - 1) / z in z = r^2 for |r| <= ln 2 / 2; error 2^-37.47.
inline constexpr double sinhShort[] = {
    0x1.5555557387076p-3,
    0x1.1110b1b2d3106p-7,
    0x1.a1702548dcf04p-13,
};

/// (cosh r - 1) / z in z = r^2 for |r| <= ln 2 / 2; error 2^-34.33.
inline constexpr double coshShort[] = {
    0x1.0000004341444p-1,
    0x1.55547fdd2066dp-5,
    0x1.6d96e4263c42dp-10,
};

/// (sinh r / r - 1) / z, likewise; error 2^-65.15.
inline constexpr double sinhDouble[] = {
    0x1.5555555555555p-3,  0x1.1111111111388p-7,  0x1.a01a019e9f996p-13,
    0x1.71de40864b46dp-19, 0x1.ae4cc33c1e715p-26, 0x1.82c82b8441e29p-33,
};

/// (cosh r - 1) / z, likewise; error 2^-70.01.
inline constexpr double coshDouble[] = {
    0x1p-1,
    0x1.5555555555558p-5,
    0x1.6c16c16c14ffp-10,
    0x1.a01a01ad871ccp-16,
    0x1.27e4cbf6201d6p-22,
    0x1.1f8c14c14ca5ap-29,
};

/// (sinh r / r - 1) / z in z = r^2 for |r| <= 1; error 2^-31.62.
inline constexpr double sinhSingle[] = {
    0x1.555556p-3,
    0x1.1110ep-7,
    0x1.a022bcp-13,
    0x1.756c1ep-19,
};

/// (tanh r / r - 1) / z in z = r^2 for |r| <= 5/8; error 2^-32.36.
inline constexpr double tanhSingle[] = {
    -0x1.555554p-2, 0x1.11107ap-3, -0x1.b9f198p-5, 0x1.63a6bcp-6, -0x1.0c6928p-7, 0x1.1a58b2p-9,
};

/// (sin r / r - 1) / z in z = r^2 for |r| <= pi/2; error 2^-27.28.
inline constexpr double sineShort[] = {
    -0x1.55554bb488714p-3,
    0x1.110ed00962a1ap-7,
    -0x1.9f6f5089f3293p-13,
    0x1.5db3ba25983f4p-19,
};

/// likewise for |r| <= pi/4; error 2^-27.96.
inline constexpr double sineEighthShort[] = {
    -0x1.5555450dfddadp-3,
    0x1.1107310f3179p-7,
    -0x1.99406fc766741p-13,
};

/// (cos r - 1 + z/2) / z^2 in z = r^2 for |r| <= pi/4; error 2^-32.99.
inline constexpr double cosineEighthShort[] = {
    0x1.55554a027ca38p-5,
    -0x1.6c0c2a11be97cp-10,
    0x1.99e8c029b5ebap-16,
};

/// (sin r / r - 1) / z, likewise; error 2^-57.89.
inline constexpr double sineEighthDouble[] = {
    -0x1.5555555555548p-3, 0x1.111111110f73p-7,    -0x1.a01a019be91d5p-13,
    0x1.71de35552378ep-19, -0x1.ae5e4b7a4d382p-26, 0x1.5d8b51d1bc446p-33,
};

/// (cos r - 1 + z/2) / z^2, likewise; error 2^-63.9.
inline constexpr double cosineEighthDouble[] = {
    0x1.555555555554bp-5,   -0x1.6c16c16c15006p-10, 0x1.a01a019c8ca1bp-16,
    -0x1.27e4f7ef2b0dcp-22, 0x1.1ee9d9db7ab05p-29,  -0x1.8fa55e58f520bp-37,
};

/// pi/2; |n| < 2^20 times all but the last are exact in f64.
inline constexpr double halfPiDouble[] = {
    0x1.921fb544p+0,
    0x1.0b4611a6p-34,
    0x1.3198a2ep-69,
    0x1.b839a252049c1p-104,
};

/// (sin r / r - 1) / z, likewise; error 2^-32.51.
inline constexpr double sineEighthSingle[] = {
    -0x1.555556p-3,
    0x1.111174p-7,
    -0x1.a05952p-13,
    0x1.7c2ccep-19,
};

/// (cos r - 1 + z/2) / z^2, likewise; error 2^-36.99.
inline constexpr double cosineEighthSingle[] = {
    0x1.555556p-5,
    -0x1.6c175ep-10,
    0x1.a071b6p-16,
    -0x1.36147ap-22,
};

/// pi/2; x - n times the first is exact in f32 for |x| <= 2^20.
inline constexpr double halfPiSingle[] = {
    0x1.921fb6p+0,
    -0x1.777a5cp-25,
    -0x1.ee59dap-50,
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
    0x1.921fb544p+1,
    0x1.0b4611a626331p-33,
};

/// (atan q / q - 1) / z in z = q^2 for |q| <= 1; error 2^-31.21.
inline constexpr double arctangentShort[] = {
    -0x1.555551040c204p-2, 0x1.9997e031dc14bp-3,  -0x1.2473738db3232p-3, 0x1.c4f1e204a9299p-4,
    -0x1.68e700662c60cp-4, 0x1.1422ccad7ef65p-4,  -0x1.6e19b4dcae85fp-5, 0x1.714b4cca8ff1ep-6,
    -0x1.df9793b0e4b67p-8, 0x1.23f9ca9b084a8p-10,
};

/// (atan q / q - 1) / z in z = q^2 for |q| <= 1; error 2^-30.92.
inline constexpr double arctangentSingle[] = {
    -0x1.555552p-2, 0x1.99981cp-3,  -0x1.24762p-3, 0x1.c5116ep-4,  -0x1.6953a8p-4,
    0x1.1509cap-4,  -0x1.70808ep-5, 0x1.7531cep-6, -0x1.e6a988p-8, 0x1.29758ep-10,
};

/// (atan q / q - 1) / z in z = q^2 for |q| <= tan(pi/8); error 2^-59.37.
inline constexpr double arctangentDouble[] = {
    -0x1.555555555553cp-2, 0x1.999999999564ep-3, -0x1.24924922a0a0bp-3, 0x1.c71c70e13db51p-4,
    -0x1.745cf855a8c73p-4, 0x1.3b110ff7fc56dp-4, -0x1.10eb526992f9fp-4, 0x1.df099841820a8p-5,
    -0x1.9cb95eaa02877p-5, 0x1.3795c1e334ea4p-5, -0x1.24df4348d30bp-6,
};

/// pi/4; up to 4 times the first is exact in f64.
inline constexpr double eighthTurnDouble[] = {
    0x1.921fb54442d18p-1,
    0x1.1a62633145c07p-55,
};

/// ((log((1+s)/(1-s)) / 2s - 1) / z - 1/3) / z in z = s^2, as above; error 2^-68.99.
inline constexpr double logPowerDouble[] = {
    0x1.9999999999967p-3, 0x1.2492492498f15p-3, 0x1.c71c71bc4f8dbp-4, 0x1.745d1bd0d6069p-4,
    0x1.3b12966140a3bp-4, 0x1.113a50336b816p-4, 0x1.daca0234ef565p-5, 0x1.0190db7321792p-4,
};

/// likewise; error 2^-41.3.
inline constexpr double logPowerSingle[] = {
    0x1.999996p-3,
    0x1.249502p-3,
    0x1.c5bedap-4,
    0x1.97f8cp-4,
};

/// 1/3.
inline constexpr double thirdSingle[] = {
    0x1.555556p-2,
    -0x1.555556p-27,
};

/// 2 / ln 2.
inline constexpr double twoLog2eSingle[] = {
    0x1.715476p+1,
    0x1.4ae0cp-25,
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

} // namespace tilewright::elementwise::tables

#endif // TILEWRIGHT_ELEMENTWISE_MATHTABLES_H
