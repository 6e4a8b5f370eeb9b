package fuzz

// verilatorMend stands before what Verilator 5.48.0 wrote. Without expansion, which
// is off as it costs time, {32{a == b}} becomes the negation of a C++ bool: an int,
// whose sign goes on into the upper bits of 36 and into comparisons. So does what
// is made of {31'd0, a == b} by ~ or -.
var verilatorMend = `#include "verilated.h"
#undef VL_REPLICATE_IOI
#define VL_REPLICATE_IOI(lbits, ld, rep) (-static_cast<IData>(ld))
#undef VL_EXTEND_II
#define VL_EXTEND_II(obits, lbits, lhs) (static_cast<IData>(lhs))
`
