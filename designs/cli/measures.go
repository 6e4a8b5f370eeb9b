package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"etch/backends/verilog"
	"etch/designs/explore"
	"etch/designs/explore/area"
	"etch/hw"
	"etch/ir"
	"etch/testbench/tools"
)

// Measured is a component with numbers of its own for etch explore -measure cycles. One
// that has Latency() int alone gives that.
type Measured interface {
	Measures() (map[string]float64, error)
}

// measuresOf is the numbers that a component offers, nil if there are none.
func measuresOf[P any](c hw.Component[P]) func(Values) (map[string]float64, error) {
	type late interface{ Latency() int }
	_, is := any(c).(Measured)
	_, isLate := any(c).(late)
	if !is && !isLate {
		return nil
	}

	// Its own measures replace the latency.
	return func(given Values) (map[string]float64, error) {
		made, err := WithValues(c, given)
		if err != nil {
			return nil, err
		}
		if m, ok := any(made).(Measured); ok {
			return m.Measures()
		}
		return map[string]float64{"latency": float64(any(made).(late).Latency())}, nil
	}
}

// thisBuild tells results of one version of etch and its designs from those of another:
// a hash of the program.
var thisBuild = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return "etch build " + hex.EncodeToString(h.Sum(nil)[:8]), nil
})

// ThisBuild is a text that two programs share only if they are equal byte by byte.
func ThisBuild() (string, error) { return thisBuild() }

// Costs of measures: milliseconds, seconds, minutes.
const (
	cheap = 0
	dear  = explore.Dear
	most  = explore.Dear + 1
)

// measureKinds are the forms of -measure.
var measureKinds = []string{"ops", "cycles", "counts:FAMILY", "yosys:FAMILY or DEVICE", "pnr:DEVICE"}

// bench makes measures.
type bench struct {
	design  Design
	devices explore.Devices
	place   Placement
}

// spec is a dear measure as data, for another process: the flags that it depends on.
type spec struct {
	Measure string          `json:"measure"`
	Seeds   int             `json:"seeds,omitempty"`
	MHz     float64         `json:"mhz,omitempty"`
	Device  *explore.Device `json:"device,omitempty"`
}

// Remake makes the measure of another process with this build again, from its
// [explore.Measure.Spec], as a plan for [explore.Plan.Do]. It fails where this machine
// lacks the measure's tool.
func (a *App) Remake(design string, text json.RawMessage) (*explore.Plan, error) {
	d, err := a.Design(design)
	if err != nil {
		return nil, err
	}
	var s spec
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("no measure: %w", err)
	}

	// Devices of the asker's table need not be known here: the spec has the one that is meant.
	b := bench{design: d, place: DefaultPlacement()}
	b.place.Seeds, b.place.MHz = s.Seeds, s.MHz
	if s.Device != nil {
		b.devices = explore.Devices{*s.Device}
	}
	measures, err := b.parse(s.Measure)
	if err != nil {
		return nil, err
	}
	return &explore.Plan{Design: d.Name, Build: d.netlist, Text: plainVerilog, Measures: measures}, nil
}

// netlist is Build for a plan.
func (d Design) netlist(values map[string]string) (*ir.Design, error) { return d.Build(values) }

// parse reads the value of -measure. Tools that are missing are named here, before
// anything runs.
func (b bench) parse(text string) (list []explore.Measure, err error) {
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimSpace(name)
		kind, of, has := strings.Cut(name, ":")
		var m explore.Measure
		switch {
		case kind == "ops" && !has:
			m, err = b.ops()
		case kind == "cycles" && !has:
			m, err = b.own()
		case kind == "counts" && has:
			m, err = b.counts(of)
		case kind == "yosys" && has:
			m, err = b.yosys(of)
		case kind == "pnr" && has:
			m, err = b.pnr(of)
		default:
			err = usagef("no measure %q; there are %s", name, strings.Join(measureKinds, ", "))
		}
		if err != nil {
			return nil, err
		}

		// The spec lets another process make the measure again; only dear ones are sent away.
		m.Name = name
		if m.Cost >= dear {
			given := spec{Measure: cmp.Or(m.As, name), Seeds: b.place.Seeds, MHz: b.place.MHz}
			if d, is := b.devices.Find(of); is && kind == "pnr" {
				given.Device = &d
			}
			if m.Spec, err = json.Marshal(given); err != nil {
				return nil, err
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// ops counts the same as etch report.
func (b bench) ops() (m explore.Measure, err error) {
	m = explore.Measure{Cost: cheap, ByValues: true, Results: []string{"ops", "registers", "register_bits", "memory_bits", "logic_depth"}}

	// Counts follow from the generator, not from a tool: its version is that of this program.
	m.Tool, err = thisBuild()
	m.Run = func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
		s, err := StatsOf(c.Net)
		return map[string]float64{
			"ops": float64(s.Ops), "registers": float64(s.Registers), "register_bits": float64(s.RegisterBits),
			"memory_bits": float64(s.MemoryBits), "logic_depth": float64(s.LogicDepth),
		}, err
	}
	return m, err
}

// counts are the bits that an area model is fitted to, of the netlist that yosys gets: the
// two have one subject, by which a model joins their lines of a journal.
func (b bench) counts(family string) (m explore.Measure, err error) {
	if known := area.Families(); !slices.Contains(known, family) {
		return m, usagef("no counts for family %q, only for %s%s", family, strings.Join(known, ", "), nearest(family, known))
	}

	m = explore.Measure{Cost: cheap, Results: area.Names()}
	m.Tool, err = thisBuild()
	m.Run = func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
		return area.Of(c.Net, family).Numbers(), nil
	}
	return m, err
}

// own is the numbers that the design itself gives.
func (b bench) own() (m explore.Measure, err error) {
	if b.design.Measures == nil {
		return m, usagef("%s has no cycles to measure: its component has neither Measures() (map[string]float64, error) nor Latency() int", b.design.Name)
	}

	m = explore.Measure{Cost: cheap, ByValues: true}
	m.Tool, err = thisBuild()
	m.Run = func(_ context.Context, c explore.Candidate) (map[string]float64, error) {
		return b.design.Measures(Values(c.Values))
	}
	return m, err
}

// versionOf is a tool with its version.
func versionOf(name string) (string, error) {
	t, err := tools.Find(name)
	if err != nil {
		return "", err
	}
	v, err := t.Version()
	return name + " " + v, err
}

// numbers are counts as results.
func (c cellCounts) numbers() map[string]float64 {
	out := map[string]float64{}
	for _, kind := range cellKinds {
		out[kind] = float64(c[kind])
	}
	return out
}

// yosys counts cells for a family, or for that of a device, which then has to have them.
func (b bench) yosys(of string) (m explore.Measure, err error) {
	family := of
	m = explore.Measure{Cost: dear, Results: cellKinds}
	if d, is := b.devices.Find(of); is {
		family, m.Fits = d.Family, d.Missing
	}
	if err := checkFamily(family, b.devices.Names()); err != nil {
		return m, err
	}

	// A device and its family share results, of which only the fit differs.
	m.As = "yosys:" + family
	version, err := versionOf("yosys")
	m.Tool = version + " " + synthesisOf(family)
	m.Run = func(ctx context.Context, c explore.Candidate) (map[string]float64, error) {
		counts, err := synthesise(ctx, family, c.Net)
		return counts.numbers(), err
	}
	return m, err
}

// pnr places and routes on a device.
func (b bench) pnr(name string) (m explore.Measure, err error) {
	d, ok := b.devices.Find(name)
	switch {
	case !ok:
		return m, usagef("no device %q%s; -list-devices lists them", name, nearest(name, b.devices.Names()))
	case len(d.PNR) == 0:
		return m, usagef("no place and route for %s: only for %s", d.Name, strings.Join(placeable(b.devices), ", "))
	}

	// Both tools belong to the key, since each decides cells and clock.
	yosys, err := versionOf("yosys")
	if err != nil {
		return m, err
	}
	nextpnr, err := versionOf(d.PNR[0])
	if err != nil {
		return m, err
	}

	p, err := b.place.On(d)
	if err != nil {
		return m, err
	}

	m = explore.Measure{Cost: most, Results: append(slices.Clone(cellKinds), "mhz"), Fits: d.Missing}

	// Resources are part of the key: a design that did not fit has no rate.
	m.Tool = fmt.Sprintf("%s %s, %s %s, %d seeds, goal %v MHz, for %d LUT, %d FF, %d DSP, %d and %d RAM", yosys, synthesisOf(d.Family),
		nextpnr, strings.Join(d.PNR[1:], " "), p.Seeds, p.MHz, d.LUT, d.FF, d.DSP, d.BRAM, d.URAM)
	m.Run = func(ctx context.Context, c explore.Candidate) (map[string]float64, error) {
		t, err := PlaceAndRoute(ctx, c.Net, p)
		if err != nil {
			return nil, err
		}
		out := t.numbers()
		if len(t.MHz) > 0 { // it fits
			out["mhz"] = t.Median()
		}
		return out, nil
	}
	return m, nil
}

// numbers are the cells of a placed design.
func (t Timing) numbers() map[string]float64 {
	return cellCounts{lutCells: t.LUT, ffCells: t.FF, dspCells: t.DSP, bramCells: t.BRAM, uramCells: t.URAM}.numbers()
}

func placeable(ds explore.Devices) (names []string) {
	for _, d := range ds {
		if len(d.PNR) > 0 {
			names = append(names, d.Name)
		}
	}
	return names
}

// plainVerilog is the text that netlists are compared by.
func plainVerilog(d *ir.Design) ([]byte, error) {
	return verilog.Text(d, verilog.Options{NoPositions: true})
}
