package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestVerilatorBuilds builds and runs a model with delays (so with coroutines)
// and compares what it prints. Precompiled headers, which only big models or
// VM_PARALLEL_BUILDS=1 use, would double its time.
func TestVerilatorBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds C++ for some seconds")
	}
	found := Need(t, "verilator", "g++", "make")
	dir := t.TempDir()
	const n = 20
	file := filepath.Join(dir, "tb.v")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `module tb;
  reg clk = 0;
  reg [15:0] i = 0, sum = 0;
  always #5 clk = ~clk;
  always @(posedge clk) begin
    i <= i + 1;
    sum <= sum + i * i;
    if (i == %d) begin $display("sum=%%0d", sum); $finish; end
  end
endmodule
`, n), 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := found[0].Command(ctx, "--binary", "-j", "2", "--top-module", "tb", "-Mdir", "obj", "-o", "tb",
		"-MAKEFLAGS", "OPT_GLOBAL=-O0", "-MAKEFLAGS", "OPT_FAST=-O1",
		file)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := found[0].Command(ctx)
	run.Path, run.Args = filepath.Join(dir, "obj", "tb"), []string{"tb"}
	out, err = run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	sum := 0
	for i := range n {
		sum += i * i
	}
	first, _, _ := strings.Cut(string(out), "\n")
	require.Equal(t, fmt.Sprintf("sum=%d", sum), first)
}
