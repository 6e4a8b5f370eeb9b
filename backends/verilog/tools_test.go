package verilog_test

import (
	"os"
	"testing"
)

// head is the beginning of a tool's messages.
func head(b []byte) []byte { return b[:min(len(b), 3000)] }

// folder is where a test puts its files: a temporary folder, or that of
// ETCH_KEEP to look at them afterwards.
func folder(t *testing.T) string {
	if dir := os.Getenv("ETCH_KEEP"); dir != "" {
		return dir
	}
	return t.TempDir()
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
