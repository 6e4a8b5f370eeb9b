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
//     collector does not see its stores.
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
// There are such pages on linux, darwin and windows, on amd64 and arm64. The package's tests, and
// those of sim and sim/native, ran on linux/amd64, on linux/arm64 under qemu, and on windows/amd64
// under Wine 8. Darwin and windows/arm64 were only compiled. On arm64 the caches are synchronised by
// the package itself (linux, with the processor's line sizes; darwin, with lines of 64 bytes) or by
// the system (windows).
//
// The package imports nothing but the standard library.
package exec
