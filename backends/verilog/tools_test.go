package verilog_test

import (
	"os"
	"os/exec"
	"testing"
)

// need skips a test if a tool is missing, or fails it with ETCH_STRICT=1.
func need(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err == nil {
		return
	}
	if os.Getenv("ETCH_STRICT") == "1" {
		t.Fatalf("%s is not installed", tool)
	}
	t.Skipf("%s is not installed", tool)
}

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
