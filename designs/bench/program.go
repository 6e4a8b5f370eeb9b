package bench

import (
	_ "embed"

	"etch/designs/examples/rv32i/asm"
)

// Memory of a core, in words, and the part that the program needs.
const memoryWords = 1024

//go:embed program.asm
var programText string

// program assembles the endless program.
func program() ([]uint32, error) { return asm.Assemble(programText) }
