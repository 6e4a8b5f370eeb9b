// Package exec holds machine code that was made at run time and calls it.
//
// A Memory is pages outside Go's heap that can be written or executed, never both
// at once: New gives them writable, Seal makes them executable. Call enters the
// code.
//
// The contract of the code, on every processor:
//   - It runs on the goroutine's stack, which does not grow under it: SpillBytes
//     bytes from SpillOffset(SP) are its own, and it may push 128 bytes below SP.
//   - It may not call Go, and may store no Go pointer anywhere: the garbage
//     collector does not see what it does.
//   - Nothing interrupts it; a garbage collection waits until it returns. So it
//     should return after a millisecond or so.
//   - It must not fault: that ends the process.
//
// amd64: ctx in RDI, a in RSI, b in RDX; result in RAX; return by RET. It may
// change every register but RSP, and leaves the direction flag and the rounding
// mode as they were. VZEROUPPER before RET is its own business.
//
// arm64: ctx in R0, a in R1, b in R2; result in R0; return by RET through R30. It
// may change every register but SP, R18 and R28.
//
// The package imports nothing but the standard library.
package exec
