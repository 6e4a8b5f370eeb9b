package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/axi"
)

// wide is a register of a given width behind a host port.
type wide struct {
	Width int `help:"bits of the register" range:"1..32"`
}

type widePorts struct {
	Host axi.Lite `hw:"s_axi"`
	Out  hw.UInt
}

func (w wide) Ports() widePorts {
	return widePorts{Host: hw.In(axi.LiteOf(3)), Out: hw.Out(hw.Unsigned(w.Width))}
}

func (w wide) Registers() axi.Map {
	return axi.Map{{Name: "value", Access: axi.Setting, Bits: w.Width, Doc: "what Out has"}}
}

func (w wide) Build(m *hw.Module, p widePorts) {
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: 3}, axi.BridgePorts{Host: p.Host})
	b := w.Registers().Bank(m, bus.Request, bus.Reply)
	p.Out.Set(b.Setting("value"))
	b.Done()
}

// A design with registers is exported with a header for C and a table, for the
// parameters that were given.
func TestExportRegisters(t *testing.T) {
	a := App{Designs: []Design{Component("wide", "a register", wide{Width: 8})}}
	dir := t.TempDir()
	var out, errs bytes.Buffer
	require.Zero(t, a.Run([]string{"export", "wide", "-p", "width=12", "-o", dir}, Output{&out, &errs}), errs.String())
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	require.Contains(t, read("wide_registers.h"), "/* read, write, 12 bits: what Out has */\n#define WIDE_VALUE 0x00u\n")
	require.Contains(t, read("wide_registers.md"), "| 0x00 | value | 12 | read, write | 0x0 | what Out has |\n")
}
