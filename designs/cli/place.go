package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"etch/backends/verilog"
	"etch/designs/explore"
	"etch/ir"
	"etch/testbench/tools"
)

// Placement says where and how often a design is placed and routed.
type Placement struct {
	Speed int     // grade of the ECP5: 6, 7 or 8, the fastest
	MHz   float64 // the clock that nextpnr strives for
	Seeds int     // runs, with seeds 1 to this

	device []string            // nextpnr and its flags for another device than the ECP5-85
	family string              // of that device
	fits   func(t Timing) bool // whether to go on after synthesis; nil: always
}

// On is the placement on a device, which place and route has to know.
func (p Placement) On(d explore.Device) (Placement, error) {
	if len(d.PNR) == 0 {
		return p, usagef("no place and route for %s", d.Name)
	}
	p.device, p.family = d.PNR, d.Family
	p.fits = func(t Timing) bool { return d.Missing(t.numbers()) == "" }
	return p, nil
}

// target is nextpnr and its flags for the device, and yosys's family.
func (p Placement) target() (family string, pnr []string) {
	if p.device != nil {
		return p.family, p.device
	}
	return "ecp5", []string{"nextpnr-ecp5", "--85k", "--package", "CABGA756", "--speed", strconv.Itoa(p.Speed)}
}

// DefaultPlacement is three runs for the slowest grade, with a goal that no design
// here reaches: nextpnr stops striving where one is reached.
func DefaultPlacement() Placement { return Placement{Speed: 6, MHz: 250, Seeds: 3} }

// Timing is the result of place and route.
type Timing struct {
	MHz   []float64 `json:"mhz"`  // the clock rate of each seed, ascending
	LUT   int       `json:"lut"`  // cells of the design without its harness, after packing
	FF    int       `json:"ff"`   // likewise
	DSP   int       `json:"dsp"`  // multipliers of 18×18
	BRAM  int       `json:"bram"` // of 18 kbit
	URAM  int       `json:"uram,omitempty"`
	Path  []Hop     `json:"path"`  // the critical path of the median seed
	Clock string    `json:"clock"` // the slowest one, whose path Path is
}

// Hop is a part of a critical path.
type Hop struct {
	Kind string  `json:"kind"`          // clk-to-q, logic (a table or a carry chain), routing or setup
	Net  string  `json:"net,omitempty"` // of routing
	Cell string  `json:"cell"`          // at the hop's end
	NS   float64 `json:"ns"`
}

// Median is the clock rate of the middle seed in MHz.
func (t Timing) Median() float64 { return t.MHz[len(t.MHz)/2] }

// LogicNS is how much of the critical path is not routing, in nanoseconds.
func (t Timing) LogicNS() (ns float64) {
	for _, h := range t.Path {
		if h.Kind != "routing" {
			ns += h.NS
		}
	}
	return ns
}

// Ends names both ends of the critical path.
func (t Timing) Ends() string {
	if len(t.Path) == 0 {
		return ""
	}
	return t.Path[0].Cell + " → " + t.Path[len(t.Path)-1].Cell
}

// PlaceAndRoute synthesises a design with yosys, for an ECP5 of 84k tables unless the
// placement names another device, and has nextpnr place and route it. All ports but
// clocks get a register before or behind them, so that the rate is that of the design
// amid a circuit and not that of pads. A design that the named device lacks resources
// for is only synthesised: it has no rate. The error wraps [tools.ErrNotFound] where a
// tool is missing.
func PlaceAndRoute(ctx context.Context, d *ir.Design, p Placement) (Timing, error) {
	yosys, err := tools.Find("yosys")
	if err != nil {
		return Timing{}, err
	}
	family, pnr := p.target()
	nextpnr, err := tools.Find(pnr[0])
	if err != nil {
		return Timing{}, err
	}
	dir, err := os.MkdirTemp("", "etch-place-")
	if err != nil {
		return Timing{}, err
	}
	defer os.RemoveAll(dir)

	// Cells are those of the design alone, the rate that of the design in its harness.
	w := workplace{ctx, dir, yosys, nextpnr}
	cells, err := w.synthesise(family, d)
	if err != nil {
		return Timing{}, err
	}
	t := Timing{LUT: cells[lutCells], FF: cells[ffCells], DSP: cells[dspCells], BRAM: cells[bramCells], URAM: cells[uramCells]}
	if p.fits != nil && !p.fits(t) {
		return t, nil
	}

	// Rates vary by a tenth from seed to seed: the median stands for the design.
	type run struct {
		mhz   float64
		clock string
		path  []Hop
	}
	var runs []run
	for seed := 1; seed <= p.Seeds; seed++ {
		r, err := w.place(p, seed)
		if err != nil {
			return Timing{}, err
		}
		mhz, clock := r.slowest()
		runs = append(runs, run{mhz, clock, r.path(clock)})
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.mhz, b.mhz) })
	for _, r := range runs {
		t.MHz = append(t.MHz, r.mhz)
	}
	middle := runs[len(runs)/2]
	t.Clock, t.Path = middle.clock, middle.path
	return t, nil
}

// workplace is the folder and tools of a run.
type workplace struct {
	ctx            context.Context
	dir            string
	yosys, nextpnr tools.Tool
}

func (w workplace) file(name string) string { return filepath.Join(w.dir, name) }

// placeTime bounds one run of nextpnr.
const placeTime = 30 * time.Minute

func (w workplace) run(t tools.Tool, limit time.Duration, args ...string) error {
	return runTool(w.ctx, t, w.dir, limit, args...) // names are relative: the nextpnr of YoWASP has a /tmp of its own
}

// synthesise writes the netlist of the design in its harness, and counts the cells
// of the design alone.
func (w workplace) synthesise(family string, d *ir.Design) (cellCounts, error) {
	src, err := verilog.Text(d, verilogFor(family))
	if err != nil {
		return nil, err
	}
	around, err := harness(d)
	if err != nil {
		return nil, err
	}

	// One file holds the design and its harness, of which yosys sees one at a time.
	if err := os.WriteFile(w.file("in.v"), append(src, around...), 0o666); err != nil {
		return nil, err
	}

	// Cells are counted before the hierarchy of two is flattened.
	script := fmt.Sprintf("read_verilog %s; %s -top %s; tee -q -o %s stat -json; design -reset; "+
		"read_verilog %[1]s; %[2]s -top %[5]s -json %[6]s",
		"in.v", synthesisOf(family), verilog.TopName(d), "stat.json", harnessName, "in.json")
	if err := w.run(w.yosys, yosysTime, "-q", "-p", script); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(w.file("stat.json"))
	if err != nil {
		return nil, err
	}
	return countFlat(family, text)
}

// place makes a run of nextpnr.
func (w workplace) place(p Placement, seed int) (r pnrReport, err error) {
	_, pnr := p.target()

	// The goal may be out of reach: a rate below it is a result and no failure.
	err = w.run(w.nextpnr, placeTime, append(pnr[1:len(pnr):len(pnr)],
		"--json", "in.json", "--freq", fmt.Sprint(p.MHz), "--seed", strconv.Itoa(seed),
		"--timing-allow-fail", "--quiet", "--report", "report.json")...)
	if err != nil {
		return r, err
	}

	// The report has rates by clock and the critical path.
	text, err := os.ReadFile(w.file("report.json"))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s -report: %w", pnr[0], err)
	}

	if len(r.Fmax) == 0 {
		return r, fmt.Errorf("%s found no path from register to register", pnr[0])
	}
	return r, nil
}

// pnrReport is the report of nextpnr.
type pnrReport struct {
	Fmax map[string]struct {
		Achieved float64 `json:"achieved"`
	} `json:"fmax"`
	Critical []struct {
		From string `json:"from"`
		To   string `json:"to"`
		Path []struct {
			Delay float64 `json:"delay"`
			From  struct {
				Cell string `json:"cell"`
			} `json:"from"`
			To struct {
				Cell string `json:"cell"`
			} `json:"to"`
			Net  string `json:"net"`
			Type string `json:"type"`
		} `json:"path"`
	} `json:"critical_paths"`
}

// slowest is the clock with the lowest rate.
func (r pnrReport) slowest() (mhz float64, clock string) {
	// Sorted, so that of equal rates the same clock counts in every run.
	for _, name := range sorted(r.Fmax) {
		if x := r.Fmax[name].Achieved; clock == "" || x < mhz {
			mhz, clock = x, name
		}
	}
	return mhz, clock
}

// path is the critical path within a clock. The cells of a carry chain, between which
// there is no routing, are one hop.
func (r pnrReport) path(clock string) (hops []Hop) {
	for _, c := range r.Critical {
		if !strings.HasSuffix(c.From, " "+clock) || !strings.HasSuffix(c.To, " "+clock) {
			continue
		}
		for _, h := range c.Path {
			x := Hop{Kind: h.Type, NS: h.Delay, Net: placedName(h.Net), Cell: placedName(h.To.Cell)}

			// Routing of no delay is the wire inside a carry chain.
			last := len(hops) - 1
			switch {
			case x.Kind == "routing" && x.NS == 0:
			case x.Kind == "logic" && last >= 0 && hops[last].Kind == "logic":
				hops[last].NS += x.NS
				hops[last].Cell = x.Cell
			default:
				hops = append(hops, x)
			}
		}
	}
	return hops
}

// placedName is the design's own part of a name: without the harness in front and
// what yosys and nextpnr add behind.
func placedName(name string) string {
	name = strings.TrimPrefix(name, "etch_design.")
	return madeSuffix.ReplaceAllString(name, "")
}

var madeSuffix = regexp.MustCompile(`(_(TRELLIS_FF|CCU2C|LUT4|PFUMX|L6MUX21)_.*|\$(CCU2|lut|nextpnr).*)$`)

// harnessName is the module that has the design inside.
const harnessName = "etch_place_harness"

// harness is a module with one pin in, one out and the clocks: a shift register
// feeds the design's inputs, and another one folds its outputs. Between register and
// port there is no logic in front and one exclusive or behind.
func harness(d *ir.Design) ([]byte, error) {
	// All inputs are one vector and all outputs another, in the order of the ports.
	var clocks, conns []string
	ins, outs := 0, 0
	for i, name := range verilog.PortNames(d.Top) {
		switch p := d.Top.Ports[i]; {
		case p.Dir == ir.InOut:
			return nil, fmt.Errorf("%s is a pad: place and route is for the logic inside", p.Name)
		case p.Dir == ir.In && d.Top.TypeOf(p.Type).Kind == ir.Clock:
			clocks = append(clocks, name)
			conns = append(conns, fmt.Sprintf(".%s(%s)", name, name))
		case p.Dir == ir.In:
			conns = append(conns, fmt.Sprintf(".%s(etch_in[%d:%d])", name, ins+p.Width-1, ins))
			ins += p.Width
		default:
			conns = append(conns, fmt.Sprintf(".%s(etch_result[%d:%d])", name, outs+p.Width-1, outs))
			outs += p.Width
		}
	}

	if len(clocks) == 0 || ins == 0 || outs == 0 {
		return nil, fmt.Errorf("%s has %d clocks, %d bits of inputs and %d of outputs: nothing to time from register to register", d.Top.Name, len(clocks), ins, outs)
	}

	// Without the registers the rate would be that of the pads; without folding, yosys would remove logic whose outputs go nowhere.
	return fmt.Appendf(nil, `
module %[1]s (input wire %[2]s, input wire etch_serial, output wire etch_folded);
  reg [%[4]d:0] etch_in;
  reg [%[5]d:0] etch_out;
  wire [%[5]d:0] etch_result;
  assign etch_folded = etch_out[%[5]d];
  always @(posedge %[3]s) begin
    etch_in <= {etch_in, etch_serial};
    etch_out <= {etch_out, 1'b0} ^ etch_result;
  end
  %[6]s etch_design (%[7]s);
endmodule
`, harnessName, strings.Join(clocks, ", input wire "), clocks[0], ins-1, outs-1, verilog.TopName(d), strings.Join(conns, ", ")), nil
}
