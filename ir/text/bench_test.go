package text

import (
	"io"
	"strings"
	"testing"

	"etch/testbench/randcircuit"
)

func BenchmarkPrint(b *testing.B) {
	d := randcircuit.Design(1, randcircuit.Config{Nodes: 10_000, State: true, Widths: []int{1, 8, 32}})
	lines := strings.Count(String(d), "\n")
	b.SetBytes(int64(len(String(d))))
	for b.Loop() {
		Print(io.Discard, d)
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkParse(b *testing.B) {
	s := String(randcircuit.Design(1, randcircuit.Config{Nodes: 10_000, State: true, Widths: []int{1, 8, 32}}))
	lines := strings.Count(s, "\n")
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if _, err := Parse(strings.NewReader(s), "bench"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
