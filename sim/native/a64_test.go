package native

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// others are the registers that code must not name: the system's own, Go's
// goroutine, the frame pointer, the way back and the stack pointer.
var others = regexp.MustCompile(`\b[wx](18|28|29|30)\b|\bsp\b`)

// TestArm64CodeOnAnyMachine makes arm64 code and has objdump read it: every word is
// an instruction, none names a register of others, and making it again gives the
// same.
func TestArm64CodeOnAnyMachine(t *testing.T) {
	var all []byte
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 14))
		n := randomNet(r, 5+r.IntN(300))
		spreadState(r, n, []uint32{100, 20000, 4 << 20}[seed%3])
		var target emit.Arm64Target
		text, err := emit.Plain(target, plainCode(target, n, choose.Standard()), cpu.Features{})
		require.NoError(t, err)
		again, err := emit.Plain(target, plainCode(target, n, choose.Standard()), cpu.Features{})
		require.NoError(t, err)
		require.Equal(t, text, again, "seed %d", seed)
		all = append(all, text...)
	}
	inspectArm64(t, all)
}

// TestArm64BodiesOnAnyMachine is that of the code of bodies, which an engine of
// this machine chooses.
func TestArm64BodiesOnAnyMachine(t *testing.T) {
	if !Supported(cpu.Host()) {
		t.Skip("no native engine on this machine")
	}
	bodies := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 15))
		n := stateMachine(r, randomNet(r, 60))
		chooser := newEngine(n, Options{Features: cpu.Host(), Policy: choose.Eager()})
		require.NoError(t, chooser.start())
		from := chooser.machines[0]
		state := make([]uint64, chooser.Scratch()+len(n.Regs)+20)
		for from.plan == nil && chooser.plain == nil {
			chooser.Run(unsafe.Pointer(&state[chooser.Scratch()]), 64)
		}
		e := newEngine(n, Options{Policy: choose.Eager()})
		m := e.machines[0]
		e.t, m.g.pool = emit.Arm64Target{}, emit.Arm64Target{}.Registers(emit.InBodies)
		require.NoError(t, e.start())
		m.past, e.total = from.past, chooser.total
		if m.replan(); e.plain == nil {
			bodies += len(m.bodies)
			text, _, _, err := e.text()
			require.NoError(t, err)
			inspectArm64(t, text)
		}
		require.NoError(t, e.Close())
		require.NoError(t, chooser.Close())
	}
	require.Greater(t, bodies, 20)
}

// inspectArm64 has objdump read code.
func inspectArm64(t *testing.T, all []byte) {
	t.Helper()
	objdump := tools.Need(t, "aarch64-linux-gnu-objdump")[0]
	file := filepath.Join(t.TempDir(), "code")
	require.NoError(t, os.WriteFile(file, all, 0o644))
	out, err := objdump.Command(t.Context(), "-D", "-b", "binary", "-m", "aarch64", "--no-show-raw-insn", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	count := 0
	for line := range strings.Lines(string(out)) {
		_, text, ok := strings.Cut(line, ":\t")
		if !ok {
			continue
		}
		count++
		if strings.Contains(text, ".inst") || strings.Contains(text, "undefined") || others.MatchString(text) {
			t.Fatalf("%s", line)
		}
	}
	require.Equal(t, len(all)/4, count)
}
