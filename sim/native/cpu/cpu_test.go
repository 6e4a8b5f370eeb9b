package cpu_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"etch/sim/native/cpu"
)

// The kernel's own list is the oracle.
func TestHostAgreesWithKernel(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("no /proc/cpuinfo on this system")
	}
	_, rest, ok := strings.Cut(string(text), "\nflags")
	if !ok {
		t.Skip("/proc/cpuinfo lists no amd64 flags")
	}
	line, _, _ := strings.Cut(rest, "\n")
	flags := strings.Fields(line)
	all := func(names ...string) bool {
		for _, n := range names {
			if !slices.Contains(flags, n) {
				return false
			}
		}
		return true
	}
	want := cpu.Features{Popcnt: all("popcnt"), BMI: all("bmi1", "bmi2"), AVX2: all("avx2"),
		AVX512: all("avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl"), VBMI: all("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vbmi") || all("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi")}
	if got := cpu.Host(); got != want {
		t.Errorf("Host() = %+v, the kernel says %+v", got, want)
	}
}
