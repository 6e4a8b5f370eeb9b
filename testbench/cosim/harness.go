package cosim

import (
	"fmt"
	"strings"
)

// Names in the generated Verilog; they are long so that no design has them.
const (
	shellName = "etch_cosim_shell"
	benchName = "etch_cosim_bench"
	startName = "etch_cosim_start"
)

// shell returns the module that both simulators run: the design with all inputs in one vector,
// all outputs in another, and a port per clock. start is its task for the state at power-up.
func (l *layout) shell(top string, ports int, start string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "module %s(\n  input [%d:0] stimulus,\n", shellName, l.ins.bits()-1)
	for k := range l.clocks {
		fmt.Fprintf(&b, "  input clock%d,\n", k)
	}
	fmt.Fprintf(&b, "  output [%d:0] response\n);\n", l.outs.bits()-1)

	// Connect each port to its part of a vector.
	conns := make([]string, ports)
	for k, port := range l.clocks {
		conns[port] = fmt.Sprintf("clock%d", k)
	}
	for _, f := range l.ins.fields {
		if f.port >= ports {
			continue // of a pad
		}
		low := l.ins.low(f)
		conns[f.port] = fmt.Sprintf("stimulus[%d:%d]", low+f.width-1, low)
	}

	// The fields are listed from the left. The gaps between them are driven low.
	used := 0 // bits of the response, from the right, that are driven
	for i := len(l.outs.fields) - 1; i >= 0; i-- {
		f := l.outs.fields[i]
		low := l.outs.low(f)
		conns[f.port] = fmt.Sprintf("response[%d:%d]", low+f.width-1, low)
		l.fill(&b, used, low)
		used = low + f.width
	}
	l.fill(&b, used, l.outs.bits())

	l.wires(&b, conns)
	fmt.Fprintf(&b, "  %s dut(\n    %s\n  );\n%sendmodule\n", top, strings.Join(conns, ",\n    "), start)
	return b.String()
}

// fill drives bits of the response that belong to no port.
func (l *layout) fill(b *strings.Builder, from, to int) {
	if from < to {
		fmt.Fprintf(b, "  assign response[%d:%d] = {%d{1'b0}};\n", to-1, from, to-from)
	}
}

// bench returns a test bench in Verilog: for each line of the stimulus file it writes the
// outputs. With starts it sets the state at power-up before that. Values read go through
// variables of their own, since some simulators miss a change that $fscanf makes to an input.
func (l *layout) bench(starts bool) (name, text string) {
	// A vector has a bit, also without clocks.
	n := max(len(l.clocks), 1)

	start := ""
	if starts {
		start = "    #1 shell." + startName + ";\n"
	}

	var clocks strings.Builder
	for k := range l.clocks {
		fmt.Fprintf(&clocks, ", clocks[%d]", k)
	}
	return benchFile, fmt.Sprintf(`module %s;
  reg [%d:0] stimulus, next;
  reg [%d:0] clocks = 0, rising;
  wire [%d:0] response;
  integer in, out, n;
  %s shell(stimulus%s, response);
  initial begin
    stimulus = 0;
    in = $fopen("%s", "r");
    out = $fopen("%s", "w");
%s    #1 n = $fscanf(in, "%%h %%h", rising, next);
    while (n == 2) begin
      stimulus = next;
      #1 $fdisplay(out, "%%h", response);
      if (rising != 0) begin
        clocks = rising;
        #1 $fdisplay(out, "%%h", response);
        clocks = 0;
        #1;
      end
      n = $fscanf(in, "%%h %%h", rising, next);
    end
    $fclose(out);
    $finish;
  end
endmodule
`, benchName, l.ins.bits()-1, n-1, l.outs.bits()-1, shellName, clocks.String(), stimulusFile, responseFile, start)
}

// responseFile is the output file of a simulator, in its own folder.
const responseFile = "response.hex"

// program returns the same driver in C++, for Verilator's class of the shell.
func (l *layout) program(bool) (name, text string) {
	var clocks strings.Builder
	for k := range l.clocks {
		fmt.Fprintf(&clocks, "  shell->clock%d = rising >> %d & 1;\n", k, k)
	}
	return programFile, fmt.Sprintf(programText, shellName, (l.ins.bits()+31)/32, l.ins.digits, l.outs.digits,
		clocks.String(), stimulusFile, responseFile)
}

const programText = `// Written by etch.
#include "V%[1]s.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <cstdint>

typedef V%[1]s Shell;

static void clocks(Shell* shell, uint64_t rising) {
%[5]s}

static int digit(int c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

static bool read(FILE* in, Shell* shell, uint64_t* rising) {
  unsigned long long r;
  if (fscanf(in, "%%llx ", &r) != 1) return false;
  *rising = r;
  for (int i = 0; i < %[2]d; i++) shell->stimulus[i] = 0;
  for (int k = %[3]d - 1; k >= 0; k--) {
    int c = getc(in);
    if (c == EOF) return false;
    shell->stimulus[k / 8] |= (uint32_t)digit(c) << 4 * (k %% 8);
  }
  return true;
}

static void answer(FILE* out, Shell* shell) {
  for (int k = %[4]d - 1; k >= 0; k--) putc("0123456789abcdef"[shell->response[k / 8] >> 4 * (k %% 8) & 15], out);
  putc('\n', out);
}

int main() {
  VerilatedContext* context = new VerilatedContext;
  context->randReset(0);
  Shell* shell = new Shell(context);
  FILE* in = fopen("%[6]s", "r");
  FILE* out = fopen("%[7]s", "w");
  if (!in || !out) {
    fprintf(stderr, "cannot open %[6]s or %[7]s\n");
    return 1;
  }
  clocks(shell, 0);
  shell->eval();
  for (uint64_t rising; read(in, shell, &rising);) {
    shell->eval();
    answer(out, shell);
    if (rising) {
      clocks(shell, rising);
      shell->eval();
      answer(out, shell);
      clocks(shell, 0);
      shell->eval();
    }
  }
  shell->final();
  return fclose(out) == 0 ? 0 : 1;
}
`
