package firrtl_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"etch/backends/firrtl"
	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// cycles is how long the designs run.
const cycles = 60

// TestDesigns runs every design of the catalogue through firtool, as a user would
// have it, and compares with the simulator: after two cycles in reset, where what
// is not reset starts as 0 on both sides.
func TestDesigns(t *testing.T) {
	tools.Need(t, "firtool", "iverilog", "vvp")
	for _, design := range catalog.Designs() {
		t.Run(design.Name, func(t *testing.T) {
			d, err := design.Build(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range d.Modules {
				for i := range m.Regs {
					if init := m.Regs[i].Init; init != ir.None && !m.ConstOf(init).IsZero() {
						t.Fatalf("register %s starts as a value of its own", m.NameOf(m.Regs[i].Node))
					}
				}
				for i := range m.Mems {
					if m.Mems[i].Init == nil {
						m.Mems[i].Init = []bits.Value{}
					}
				}
			}
			design := newDrive(t, d)
			design.compare(t)
		})
	}
}

// drive is a design with random inputs.
type drive struct {
	d    *ir.Design
	stim bytes.Buffer // Verilog
	want []string

	text   []byte // FIRRTL of the design; empty: what is written of it
	bodies string // Verilog of black boxes
}

func newDrive(t *testing.T, d *ir.Design) *drive {
	t.Helper()
	r := &drive{d: d}
	s, err := sim.New(d, sim.WithOutput(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	names := firrtl.PortNames(d.Top)
	var show, outs string
	for i, p := range d.Top.Ports {
		if p.Dir != ir.In {
			show, outs = show+" %h", outs+", p_"+names[i]
		}
	}
	look := func() {
		var text []string
		for i, p := range d.Top.Ports {
			if p.Dir != ir.In {
				text = append(text, fmt.Sprintf("%0*s", (p.Width+3)/4, s.GetBits(s.Top()[i]).Hex()))
			}
		}
		r.want = append(r.want, "@ "+strings.Join(text, " "))
		fmt.Fprintf(&r.stim, "    #1 $display(\"@%s\"%s);\n", show, outs)
	}
	for cycle := range cycles {
		var clks []sim.Signal
		var rise, fall string
		for i, p := range d.Top.Ports {
			if p.Dir != ir.In {
				continue
			}
			v := randcircuit.Value(rng, p.Width)
			switch d.Top.TypeOf(p.Type).Kind {
			case ir.Clock:
				if cycle < 2 || rng.IntN(3) > 0 {
					clks = append(clks, s.Top()[i])
					rise += fmt.Sprintf("p_%s = 1; ", names[i])
					fall += fmt.Sprintf("p_%s = 0; ", names[i])
				}
				continue
			case ir.Reset, ir.AsyncReset:
				v = bits.New(1, 0)
				if cycle < 2 || rng.IntN(25) == 0 {
					v = bits.New(1, 1)
				}
			}
			if err := s.SetBits(s.Top()[i], v); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&r.stim, "    p_%s = %d'h%s;\n", names[i], p.Width, v.Hex())
		}
		release := r.drivePads(t, s, rng)
		if cycle >= 2 {
			look()
		} else {
			r.stim.WriteString("    #1;\n")
		}
		if len(clks) > 0 {
			s.TickAll(clks...)
		}
		fmt.Fprintf(&r.stim, "    %s\n", rise)
		release()
		if cycle >= 1 {
			look()
		} else {
			r.stim.WriteString("    #1;\n")
		}
		fmt.Fprintf(&r.stim, "    %s\n    #1;\n", fall)
	}
	return r
}

func (r *drive) compare(t *testing.T) {
	t.Helper()
	dir := folder(t)
	text := r.text
	if len(text) == 0 {
		var err error
		if text, err = firrtl.Text(r.d, firrtl.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range firrtl.DataFiles(r.d, firrtl.Options{}) {
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	var tb bytes.Buffer
	tb.WriteString(zeroStart)
	tb.Write(firtoolText(t, text, dir, plainVerilog...))
	tb.WriteString(r.bodies + "\nmodule tb;\n")
	var conns []string
	for i, p := range r.d.Top.Ports {
		kind, start, name := "reg", " = 0", firrtl.PortNames(r.d.Top)[i]
		switch p.Dir {
		case ir.Out:
			kind, start = "wire", ""
		case ir.InOut:
			kind, start = "wire", fmt.Sprintf(" = en_%s ? out_%[1]s : %d'bz", name, p.Width)
			fmt.Fprintf(&tb, "  reg en_%s = 0;\n  reg [%d:0] out_%[1]s;\n", name, p.Width-1)
		}
		fmt.Fprintf(&tb, "  %s [%d:0] p_%s%s;\n", kind, p.Width-1, name, start)
		for k := 0; k < p.Width && p.Dir == ir.InOut && r.d.Top.Nets[r.d.Top.Node(p.Node).Aux].Pull == ir.PullNone; k++ {
			fmt.Fprintf(&tb, "  pulldown (p_%s[%d]);\n", name, k) // it reads as 0 in the simulator
		}
		conns = append(conns, fmt.Sprintf(".%s(p_%s)", name, name))
	}
	fmt.Fprintf(&tb, "  %s dut(%s);\n  initial begin\n    #1;\n%s  end\nendmodule\n", firrtl.TopName(r.d), strings.Join(conns, ", "), r.stim.String())
	var got []string
	for line := range strings.Lines(iverilog(t, dir, tb.Bytes())) {
		if strings.HasPrefix(line, "@") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if len(got) != len(r.want) {
		t.Fatalf("%d lines, want %d", len(got), len(r.want))
	}
	for i := range got {
		if got[i] != strings.TrimSpace(r.want[i]) {
			t.Fatalf("look %d:\n%s from firtool's Verilog,\n%s from the simulator", i, got[i], r.want[i])
		}
	}
}
