package native_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// TestOnArm64 builds tests for arm64 and runs them under qemu: code of random nets
// against their semantics, and designs in lock step with the interpreter, for long
// enough to get bodies.
func TestOnArm64(t *testing.T) {
	if testing.Short() {
		t.Skip("emulates a processor for a minute or two")
	}
	if runtime.GOARCH == "arm64" {
		t.Skip("this is arm64: all tests are about it")
	}
	qemu := tools.Need(t, "qemu-aarch64")[0]

	// Each package is built once; its tests may run in several parts.
	room := t.TempDir()
	for _, dir := range []string{"exec", ".", "vector", "../lanes/internal/code", "../lanes", ".."} {
		build := exec.Command("go", "test", "-c", "-o", binary(room, dir), ".")
		build.Dir = dir
		build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}

	// The longest first, so that the last ones are short.
	for _, c := range []struct{ name, dir, run, engine string }{
		{"sim", "..", "RandomNetlists|Ops|Memory|Packed|ArraysIn|Control|Run|Clock|Async|Snapshot|OfClasses|BulkWa|BulkWi", "lockstep"},
		{"native", ".", "Agree|Far|Long|Lockstep|Special|Gate|Bank|Pack", "lockstep"},
		{"simparts", "..", "RandomNetlists|Ops|Memory|Run", "parts"},
		{"lanes", "../lanes", "LanesRandom|LaneBodies$", "lockstep"},
		{"lanecode", "../lanes/internal/code", ".", "lockstep"},
		{"vector", "vector", ".", "lockstep"},
		{"exec", "exec", ".", "lockstep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			// The only bound of time is that of go test: shortly before it, qemu ends too.
			ctx := t.Context()
			if end, ok := t.Deadline(); ok {
				var cancel context.CancelFunc
				ctx, cancel = context.WithDeadline(ctx, end.Add(-5*time.Second))
				defer cancel()
			}
			run := qemu.Command(ctx, binary(room, c.dir), "-test.short", "-test.v", "-test.run", c.run)
			run.Dir = c.dir
			run.Env = append(os.Environ(), "ETCH_ENGINE="+c.engine, "ETCH_EMULATED=1")
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NotContains(t, string(out), "no native engine")
			require.Regexp(t, `(?m)^--- PASS`, string(out))
		})
	}
}

// binary is the test binary of a folder.
func binary(room, dir string) string {
	return filepath.Join(room, strings.NewReplacer("/", "_", ".", "_").Replace(dir)+".test")
}
