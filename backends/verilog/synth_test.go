package verilog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/tools"
)

// ram is one memory in a module of its own.
type ram struct {
	name         string
	depth, width int
	under        ir.Under
	lanes        int // of a write mask
	style        string
	async        bool // an asynchronous read instead of the synchronous one
	rom          bool

	ice40, xilinx string // cells that must be there, with a minimum count; "-" in front: must not
}

var rams = []ram{
	{name: "old", depth: 1024, width: 16, under: ir.Old, ice40: "SB_RAM40_4K 4", xilinx: "RAMB18E1 1"},
	{name: "new", depth: 1024, width: 16, under: ir.New, ice40: "SB_RAM40_4K 4", xilinx: "RAMB18E1 1"},
	{name: "undefined", depth: 1024, width: 16, under: ir.Undefined, ice40: "SB_RAM40_4K 4, -$dff 0", xilinx: "RAMB18E1 1, -$dff 0"},
	{name: "mask", depth: 1024, width: 32, under: ir.Old, lanes: 4, xilinx: "RAMB36E1 1"},
	{name: "mask_undefined", depth: 1024, width: 32, under: ir.Undefined, lanes: 4, ice40: "SB_RAM40_4K 8, -$dff 0", xilinx: "RAMB36E1 1, -$dff 0"},
	{name: "odd", depth: 1000, width: 18, under: ir.Old, ice40: "SB_RAM40_4K 5"},
	{name: "async", depth: 64, width: 8, async: true, ice40: "-SB_RAM40_4K 0", xilinx: "RAM64M 3, -RAMB18E1 0"},
	{name: "forced", depth: 32, width: 8, style: "block", ice40: "SB_RAM40_4K 1", xilinx: "RAMB18E1 1"},
	{name: "logic", depth: 128, width: 8, style: "logic", xilinx: "RAM64M 6, -RAMB18E1 0"},
	{name: "rom", depth: 256, width: 16, rom: true, style: "block", ice40: "SB_RAM40_4K 1", xilinx: "RAMB18E1 1"},
	{name: "rom_logic", depth: 64, width: 8, rom: true, style: "logic", ice40: "-SB_RAM40_4K 0", xilinx: "-RAMB18E1 0, -RAM64M 0"},
}

func (r ram) module(src *ir.Sources) *ir.Module {
	m := ir.NewModule("ram_"+r.name, src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	aw := ir.CountWidth(r.depth - 1)
	ra := m.AddInput("ra", aw, 0, 0)
	mem := ir.Memory{Name: "mem", Depth: r.depth, Width: r.width, Style: r.style}
	if r.rom {
		for i := range r.depth {
			mem.Init = append(mem.Init, bits.New(r.width, uint64(i*i*i+i>>3*77)))
		}
	} else {
		w := ir.WritePort{Name: "w", Clk: clk, Mask: ir.None}
		w.Addr, w.Data, w.En = m.AddInput("wa", aw, 0, 0), m.AddInput("wd", r.width, 0, 0), m.AddInput("we", 1, 0, 0)
		if r.lanes > 0 {
			w.Mask = m.AddInput("mask", r.lanes, 0, 0)
		}
		mem.Writes = append(mem.Writes, w)
	}
	m.Mems = append(m.Mems, mem)
	var q ir.ID
	if r.async {
		q = m.Add(ir.Node{Op: ir.MemRead, Width: int32(r.width)}, ra)
	} else {
		q = m.Add(ir.Node{Op: ir.MemOut, Width: int32(r.width)})
		m.Mems[0].Reads = []ir.ReadPort{{Name: "q", Node: q, Clk: clk, Addr: ra, En: m.AddInput("re", 1, 0, 0), Under: r.under}}
	}
	m.AddOutput("q", r.width, 0, q, 0)
	return m
}

// untilGates is the step of a synthesis before which memories are mapped and
// gates are not.
var (
	untilGates = map[string]string{"ice40": "map_gates", "xilinx": "fine"}
	noFlatten  = map[string]string{"ice40": "-noflatten"}
)

var cellLine = regexp.MustCompile(`(?m)^\s+(\S+)\s+(\d+)$`)

// allRAMs is a design with every memory that a family has a wish for.
func allRAMs(family string) *ir.Design {
	src := ir.NewSources()
	d := &ir.Design{Top: ir.NewModule("rams", src), Src: src}
	top := d.Top
	clk := top.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	for _, r := range rams {
		if r.wish(family) == "" {
			continue
		}
		m := r.module(src)
		d.Modules = append(d.Modules, m)
		at := top.AddInst(r.name, m, 0)
		for i, p := range m.Ports {
			switch {
			case p.Name == "clk":
				top.Insts[at].Conns[i] = clk
			case p.Dir == ir.In:
				top.Insts[at].Conns[i] = top.AddInput(r.name+"_"+p.Name, p.Width, 0, 0)
			default:
				top.AddOutput(r.name+"_"+p.Name, p.Width, 0, top.Insts[at].Conns[i], 0)
			}
		}
	}
	d.Modules = append(d.Modules, top)
	return d
}

func (r ram) wish(family string) string {
	return map[string]string{"ice40": r.ice40, "xilinx": r.xilinx}[family]
}

// TestRAM synthesises memories for two families with yosys: block RAM where it
// should be, none where not.
func TestRAM(t *testing.T) {
	if testing.Short() {
		t.Skip("synthesis")
	}
	yosys := tools.Need(t, "yosys")[0]
	for _, family := range []string{"ice40", "xilinx"} {
		t.Run(family, func(t *testing.T) {
			d := allRAMs(family)
			if err := ir.Verify(d); err != nil {
				t.Fatal(err)
			}
			text, err := verilog.Text(d, verilog.Options{})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder(t), family+".v")
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			script := fmt.Sprintf("read_verilog %s; synth_%s %s -top rams -run begin:%s; tee -o %s.stat stat",
				file, family, noFlatten[family], untilGates[family], file)
			if out, err := yosys.Command(t.Context(), "-q", "-p", script).CombinedOutput(); err != nil {
				t.Fatalf("yosys: %v\n%s", err, head(out))
			}
			stat, err := os.ReadFile(file + ".stat")
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range strings.Split(string(stat), "=== ram_")[1:] {
				name, cells, _ := strings.Cut(part, " ===")
				cells, _, _ = strings.Cut(cells, "===") // of the next module
				for _, r := range rams {
					if r.name == name {
						checkCells(t, cells, name, r.wish(family))
					}
				}
			}
			if n := strings.Count(string(stat), "=== ram_"); n < 9 {
				t.Errorf("a report of %d memories", n)
			}
		})
	}
}

// checkCells compares a report of yosys with what is wanted of it.
func checkCells(t *testing.T, stat, name, want string) {
	t.Helper()
	cells := map[string]int{}
	for _, m := range cellLine.FindAllStringSubmatch(stat, -1) {
		n, _ := strconv.Atoi(m[2])
		cells[strings.TrimSuffix(m[1], ":")] += n
	}
	for _, w := range strings.Split(want, ", ") {
		cell, least, _ := strings.Cut(strings.TrimPrefix(w, "-"), " ")
		n, _ := strconv.Atoi(least)
		have := 0
		for c, k := range cells {
			if strings.HasPrefix(c, cell) {
				have += k
			}
		}
		if strings.HasPrefix(w, "-") && have > 0 || have < n {
			t.Errorf("%s: %d of %s, want %q\n%s", name, have, cell, want, stat)
		}
	}
}
