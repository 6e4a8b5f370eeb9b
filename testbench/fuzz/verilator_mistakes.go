package fuzz

// verilatorMend replaces macros of the run-time library of Verilator 5.48.0. Without expansion, which
// is off to save time, {32{a == b}} becomes the negation of a C++ bool. That is an int, whose sign
// extends into the upper bits of a wider value and into comparisons. The same happens to ~ and - of
// {31'd0, a == b}.
var verilatorMend = `#include "verilated.h"
#undef VL_REPLICATE_IOI
#define VL_REPLICATE_IOI(lbits, ld, rep) (-static_cast<IData>(ld))
#undef VL_EXTEND_II
#define VL_EXTEND_II(obits, lbits, lhs) (static_cast<IData>(lhs))
`
