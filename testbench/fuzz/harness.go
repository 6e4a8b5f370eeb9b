package fuzz

import (
	"bytes"
	"fmt"
	"strings"

	"etch/ir"
)

// A batch of circuits is one Verilog design: a module around each circuit (its seat) that holds
// its stimulus and prints its outputs, and a module around all seats. A test bench or a C++
// program drives the latter: it sets step, raises and drops rise, for clocks to rise and fall,
// and raises show, for outputs to be printed. In turn, one circuit at a time moves and the
// others rest at 0; together, all move at once.

// seat is the place of a circuit in a batch.
type seat struct {
	c     *Case
	at    int      // number in the batch
	top   string   // Verilog name of the top
	ports []string // Verilog names of its ports, parallel to Ports; nil: by position
}

// renamed returns a copy of a design with module names that are unique in a batch. Statements
// lose their positions, which the reference does not print.
func renamed(d *ir.Design, at int) *ir.Design {
	d = d.Clone()
	for _, m := range d.Modules {
		m.Name = fmt.Sprintf("c%d_%s", at, m.Name)
		for i := range m.Stmts {
			m.Stmts[i].Pos = 0
		}
	}
	return d
}

// allName is the name of the module around all seats.
const allName = "etch_fuzz_all"

// stimulusFile returns the name of the stimulus file of circuit number at.
func stimulusFile(at int) string { return fmt.Sprintf("s%d.hex", at) }

// words returns the stimulus as a file for $readmemh: one word per step, the rising clocks in
// the top bits, then the inputs.
func (s *seat) words() []byte {
	var b bytes.Buffer
	bind := s.c.Stim.bind(s.c.Design.Top)
	for _, step := range s.c.Stim.Steps {
		var bin strings.Builder

		// The last clock comes first: the word is read from its top bit.
		for i := len(bind.clocks) - 1; i >= 0; i-- {
			fmt.Fprint(&bin, step.Rise>>i&1)
		}
		for i, port := range bind.inputs {
			if port >= 0 {
				bin.WriteString(step.In[i].Bin())
			}
		}
		b.WriteString(hexOf(bin.String()))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// hexOf converts binary digits to hexadecimal ones.
func hexOf(bin string) string {
	bin = strings.Repeat("0", (4-len(bin)%4)%4) + bin
	out := make([]byte, len(bin)/4)
	for i := range out {
		d := 0
		for _, c := range bin[4*i : 4*i+4] {
			d = d<<1 | int(c-'0')
		}
		out[i] = "0123456789abcdef"[d]
	}
	return string(out)
}

// write writes the seat's module: a memory with the stimulus, the word of the present step (0
// while another circuit has its turn), clocks and inputs as parts of it, the circuit, and the
// print of its outputs.
func (s *seat) write(b *bytes.Buffer, inTurn bool) {
	top, bind, n := s.c.Design.Top, s.c.Stim.bind(s.c.Design.Top), len(s.c.Stim.Steps)
	width := bind.width(top)

	// The word of the step.
	fmt.Fprintf(b, "module etch_fuzz_seat_%d(input wire [31:0] turn, input wire [31:0] step, input wire rise, input wire show);\n", s.at)
	fmt.Fprintf(b, "  reg [%d:0] stimulus [0:%d];\n  initial $readmemh(\"%s\", stimulus);\n", width-1, max(n, 1)-1, stimulusFile(s.at))
	on := fmt.Sprintf("step < 32'd%d", n)

	// Verilator moves all circuits at once, Icarus Verilog one after another.
	if inTurn {
		on = fmt.Sprintf("turn == 32'd%d && %s", s.at, on)
	}

	fmt.Fprintf(b, "  wire on = %s;\n  wire [%d:0] now = on ? stimulus[step[15:0]] : {%d{1'b0}};\n", on, width-1, width)

	// Outputs get wires; an input without a value is 0.
	conns := takeApart(b, top, bind)
	var shown []string
	for i := range top.Ports {
		p := &top.Ports[i]
		switch {
		case p.Dir == ir.Out:
			conns[i] = fmt.Sprintf("out_%d", i)
			fmt.Fprintf(b, "  wire [%d:0] out_%d;\n", p.Width-1, i)
			shown = append(shown, conns[i])
		case conns[i] == "":
			conns[i] = fmt.Sprintf("{%d{1'b0}}", p.Width)
		}
	}

	// The circuit and the line with its outputs, marked by @ and the circuit's number.
	for i := range conns {
		if s.ports != nil {
			conns[i] = fmt.Sprintf(".%s(%s)", escaped(s.ports[i]), conns[i])
		}
	}

	fmt.Fprintf(b, "  %s dut(\n    %s);\n", s.top, strings.Join(conns, ",\n    "))
	fmt.Fprintf(b, "  always @(posedge show) if (on) $display(\"\\n@%d%s\"%s);\nendmodule\n", s.at, strings.Repeat(" %h", len(shown)), list(shown))
}

// width is the number of bits of a word of stimulus, at least 1: Verilog has no memory of 0 bits.
func (b binding) width(top *ir.Module) int {
	width := len(b.clocks)
	for _, port := range b.inputs {
		if port >= 0 {
			width += top.Ports[port].Width
		}
	}
	return max(width, 1)
}

// takeApart writes clocks and inputs as parts of the word now, from its top, and returns the
// connection of each, by port.
func takeApart(b *bytes.Buffer, top *ir.Module, bind binding) []string {
	conns := make([]string, len(top.Ports))
	at := bind.width(top)
	for i := len(bind.clocks) - 1; i >= 0; i-- {
		at--
		if port := bind.clocks[i]; port >= 0 {
			conns[port] = fmt.Sprintf("clock_%d", i)
			fmt.Fprintf(b, "  reg clock_%d = 1'b0;\n  always @(rise) clock_%d = rise & now[%d];\n", i, i, at)
		}
	}

	// The inputs' parts lie below the clocks, in the order of the stimulus.
	for _, port := range bind.inputs {
		if port >= 0 {
			w := top.Ports[port].Width
			at -= w
			conns[port] = fmt.Sprintf("now[%d:%d]", at+w-1, at)
		}
	}
	return conns
}

// list returns the arguments of $display, eight a line.
func list(args []string) string {
	var b strings.Builder
	for i, a := range args {
		b.WriteByte(',')
		if i%8 == 0 {
			b.WriteString("\n    ")
		}
		b.WriteString(a)
	}
	return b.String()
}

// escaped returns a name in Verilog's escaped form, which takes any name.
func escaped(name string) string { return "\\" + name + " " }

// harness returns the text of all seats and of the module around them.
func harness(seats []*seat, inTurn bool) []byte {
	var b bytes.Buffer

	// A seat is a module, so that its names meet no others.
	for _, s := range seats {
		s.write(&b, inTurn)
	}
	fmt.Fprintf(&b, "module %s(input wire [31:0] turn, input wire [31:0] step, input wire rise, input wire show);\n", allName)
	for _, s := range seats {
		fmt.Fprintf(&b, "  etch_fuzz_seat_%d seat_%d(.turn(turn), .step(step), .rise(rise), .show(show));\n", s.at, s.at)
	}
	b.WriteString("endmodule\n")
	return b.Bytes()
}

// mostSteps returns the number of steps of the longest stimulus.
func mostSteps(seats []*seat) int {
	n := 0
	for _, s := range seats {
		n = max(n, len(s.c.Stim.Steps))
	}
	return n
}
