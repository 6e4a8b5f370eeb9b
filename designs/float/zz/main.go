package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"etch/backends/verilog"
	"etch/designs/float"
	"etch/hw"
	"etch/ir"
)

func built[P any](c hw.Component[P]) *ir.Design {
	d, _, err := hw.Build(c)
	if err != nil {
		panic(err)
	}
	return d
}

func main() {
	ops := strings.Split(os.Args[1], ",")
	formats := strings.Split(os.Args[2], ",")
	for _, op := range ops {
		for _, ft := range formats {
			var f float.Format
			if err := f.UnmarshalText([]byte(ft)); err != nil {
				panic(err)
			}
			o := float.Op{Format: f, Flags: true}
			if strings.HasSuffix(op, "-") {
				o.Flags = false
			}
			if strings.HasSuffix(op, "d") && op != "add" {
				o.Rounding = float.Dynamic
			}
			var d *ir.Design
			switch strings.TrimRight(op, "-") {
			case "add", "addd":
				d = built(float.Adder{Op: o})
			case "mul", "muld":
				d = built(float.Multiplier{Op: o})
			case "fma", "fmad":
				d = built(float.FMA{Op: o})
			case "div":
				d = built(float.Dividing{Op: o})
			case "sqrt":
				d = built(float.Rooting{Op: o})
			}
			src, err := verilog.Text(d, verilog.Options{NoPositions: true})
			if err != nil {
				panic(err)
			}
			base := "/tmp/fz/" + op + "_" + ft
			os.MkdirAll("/tmp/fz", 0o777)
			os.WriteFile(base+".v", src, 0o666)
			out, err := exec.Command("yosys", "-q", "-p", "read_verilog "+base+".v; synth_xilinx -family xc7 -flatten -noiopad -top "+verilog.TopName(d)+"; tee -o "+base+".stat stat; tee -o "+base+".ltp ltp -noff; write_verilog -noattr "+base+"_m.v").CombinedOutput()
			if err != nil {
				panic(string(out))
			}
			text, _ := os.ReadFile(base + ".stat")
			sum, line := 0, ""
			for _, l := range strings.Split(string(text), "\n") {
				w := strings.Fields(l)
				if len(w) == 2 {
					var n int
					fmt.Sscan(w[1], &n)
					if strings.HasPrefix(w[0], "LUT") || w[0] == "INV" {
						sum += n
					}
					if !strings.Contains(w[0], "$") && w[0] != "Number" {
						line += fmt.Sprintf(" %s:%d", w[0], n)
					}
				}
			}
			lt, _ := os.ReadFile(base + ".ltp")
			depth := ""
			if i := strings.Index(string(lt), "length="); i >= 0 {
				depth = strings.TrimSuffix(strings.Fields(string(lt)[i+7:])[0], "):")
			}
			fmt.Printf("%s %s: %d depth %s %s\n", op, ft, sum, depth, line)
		}
	}
}
