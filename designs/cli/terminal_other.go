//go:build !linux

package cli

import "os"

// isTerminal goes by the kind of the file: the call that asks a terminal differs by system.
func isTerminal(f *os.File) bool { return characterDevice(f) }
