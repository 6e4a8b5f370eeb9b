package hw_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
)

type wasteful struct{ Marked bool }

type wastefulPorts struct {
	A, Spare, Idle hw.UInt
	Y              hw.UInt
}

func (wasteful) Ports() wastefulPorts {
	u8 := hw.Unsigned(8)
	return wastefulPorts{A: hw.In(u8), Spare: hw.In(u8), Idle: hw.In(u8), Y: hw.Out(u8)}
}

func (c wasteful) Build(m *hw.Module, p wastefulPorts) {
	p.Y.Set(p.A)
	counter := hw.Reg(m, "counter", hw.Unsigned(8), hw.U(0)) // warn register counter is never read
	counter.Set(counter.Inc())
	ping, pong := hw.Reg(m, "ping", hw.Unsigned(8)), hw.Reg(m, "pong", hw.Unsigned(8)) // warn register ping is never read // warn register pong is never read
	ping.Set(pong)
	pong.Set(ping)
	first := hw.Delay(m, "first", p.Spare, 1)
	second := hw.Delay(m, "second", first, 1)   // warn register second is never read
	log := hw.Mem(m, "log", 16, hw.Unsigned(8)) // warn memory log is never read
	log.Write(p.A.Trunc(4), p.A)
	for i := range 3 {
		u := hw.Inst(m, hw.Name("u", i), linedAdd{}, linedAddPorts{A: p.A, B: p.A}) // warn output y of u_0 is read nowhere
		if c.Marked {
			hw.Unused(m, u)
		}
	}
	if c.Marked {
		hw.Unused(m, p.Idle, counter, ping, second, log.Read(hw.U(0)))
	}
}

func TestWarnings(t *testing.T) {
	d, _, err := hw.Build(wasteful{})
	require.NoError(t, err)
	text, err := os.ReadFile("warnings_test.go")
	require.NoError(t, err)
	source := strings.Split(string(text), "\n")
	var want []string
	for _, line := range source {
		for _, text := range regexp.MustCompile(`// warn (\w+ \w+ is [a-z ]+|output [^/]+)`).FindAllStringSubmatch(line, -1) {
			want = append(want, strings.TrimSpace(text[1]))
		}
	}
	want = append(want[:len(want):len(want)], "input idle is read nowhere")
	var got []string
	for _, w := range hw.Warnings(d) {
		require.Equal(t, "unused", w.Code)
		if !strings.HasPrefix(w.Msg, "input") { // whose line is that of Ports
			require.Contains(t, source[w.Pos.Line-1], "// warn "+w.Msg)
		}
		got = append(got, w.Msg)
	}
	require.NotContains(t, got, "register first is never read") // only second reads it
	require.ElementsMatch(t, want, got)
	require.Contains(t, hw.Warnings(d).Error(), "so is that of 2 more instances made by this line")
}

func TestUnusedGivesNoWarning(t *testing.T) {
	d, _, err := hw.Build(wasteful{Marked: true}, hw.WarningsAreErrors())
	require.NoError(t, err)
	require.Empty(t, hw.Warnings(d))
	_, _, err = hw.Build(wasteful{}, hw.WarningsAreErrors())
	require.ErrorContains(t, err, "input idle is read nowhere [unused]")
}
