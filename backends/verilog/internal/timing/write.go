package timing

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"etch/ir"
)

// Period is the period of a clock in nanoseconds, by the name of its input port.
type Period struct {
	Port string
	NS   float64
}

// Constraints writes the constraints of a design as XDC and as SDC, see Constraints in package verilog.
func Constraints(d *ir.Design, names Names, periods []Period) (xdc, sdc []byte, err error) {
	t := &timing{crossings: findCrossings(d, names), period: map[string]float64{}}

	// A period must name a clock of the design.
	for _, p := range periods {
		if !slices.ContainsFunc(t.clks, func(x place) bool { return t.portOf(x) == p.Port }) {
			return nil, nil, fmt.Errorf("verilog: %s has no clock %s", d.Top.Name, p.Port)
		}
		t.period[p.Port] = p.NS
	}

	if len(periods) == 0 && len(t.found) == 0 {
		return nil, nil, nil
	}
	return t.text(true), t.text(false), nil
}

// timing writes constraints.
type timing struct {
	*crossings
	period map[string]float64
	out    bytes.Buffer
	xdc    bool
}

// text writes all constraints in one of the two languages: clocks, groups, then paths.
func (t *timing) text(xdc bool) []byte {
	t.xdc = xdc
	t.out.Reset()

	// Clocks come first: groups and paths refer to them by name.
	fmt.Fprintf(&t.out, "# Written by etch for %s. Do not edit.\n", t.names.Module(t.d.Top))
	for _, clk := range t.clks {
		port := t.portOf(clk)
		if ns, ok := t.period[port]; ok {
			fmt.Fprintf(&t.out, "create_clock -name %s -period %s [get_ports {%s}]\n", port, nanoseconds(ns), port)
		}
	}

	t.groups()
	for _, f := range t.found {
		t.flight(f)
	}
	return bytes.Clone(t.out.Bytes())
}

// portOf is the port of the top that a clock comes from, "" for a clock made inside.
func (t *timing) portOf(clk place) string {
	if clk.s.up == nil && clk.s.m.Op(clk.id) == ir.Input {
		return t.names.Port(clk.s.m, clk.s.m.Node(clk.id).Aux)
	}
	return ""
}

func nanoseconds(ns float64) string { return strconv.FormatFloat(ns, 'f', 3, 64) }

// groups declares clocks that are asynchronous to each other. A group would hide the
// maximum delays between its clocks, so only pairs without such paths are declared.
func (t *timing) groups() {
	for i, a := range t.clks {
		for _, b := range t.clks[i+1:] {
			// A pair is measured if some path between it, in either direction, has a
			// maximum delay.
			measured := slices.ContainsFunc(t.found, func(f flight) bool {
				return !f.async && slices.ContainsFunc(f.from, func(from cell) bool {
					return from.clk == a && f.to.clk == b || from.clk == b && f.to.clk == a
				})
			})

			x, y := t.clock(t.portOf(a)), t.clock(t.portOf(b))
			if !measured && x != "" && y != "" {
				fmt.Fprintf(&t.out, "set_clock_groups -asynchronous -group %s -group %s\n", x, y)
			}
		}
	}
}

// clock refers to the clock of a port, "" if the tool cannot: SDC knows only clocks that
// were created.
func (t *timing) clock(port string) string {
	_, given := t.period[port]
	switch {
	case port == "":
		return ""
	case given:
		return "[get_clocks {" + port + "}]"
	case t.xdc:
		return "[get_clocks -of_objects [get_ports {" + port + "}]]"
	}
	return ""
}

// flight writes one crossing.
func (t *timing) flight(f flight) {
	from, to := refs(f.from), "[get_cells {"+f.to.text+"}]"

	// A synchroniser's path is false; others are bounded, if the bound is known.
	limit, known := t.limit(f)
	switch {
	case f.async, limit == "", !t.xdc && !known:
		fmt.Fprintf(&t.out, "set_false_path -from %s -to %s\n", from, to)
	case t.xdc:
		fmt.Fprintf(&t.out, "set_max_delay -datapath_only -from %s -to %s %s\n", from, to, limit)
	default:
		fmt.Fprintf(&t.out, "set_max_delay %s -from %s -to %s\n", limit, from, to)
		fmt.Fprintf(&t.out, "set_false_path -hold -from %s -to %s\n", from, to)
	}
}

// refs refers to cells and ports; both together make a list.
func refs(list []cell) string {
	var cells, ports []string
	for _, c := range list {
		if c.port {
			ports = append(ports, c.text)
		} else {
			cells = append(cells, c.text)
		}
	}

	var parts []string
	if len(cells) > 0 {
		parts = append(parts, "[get_cells {"+strings.Join(cells, " ")+"}]")
	}
	if len(ports) > 0 {
		parts = append(parts, "[get_ports {"+strings.Join(ports, " ")+"}]")
	}

	// Both kinds need a list around them.
	if len(parts) == 1 {
		return parts[0]
	}
	return "[list " + strings.Join(parts, " ") + "]"
}

// limit is the shortest period of the clocks of a crossing. If known, text is a number;
// else it is an expression for Vivado to evaluate, "" for a clock without a port.
func (t *timing) limit(f flight) (text string, known bool) {
	// The ports of all clocks involved, each once.
	ports := []string{t.portOf(f.to.clk)}
	for _, from := range f.from {
		if from.port {
			continue
		}
		if port := t.portOf(from.clk); !slices.Contains(ports, port) {
			ports = append(ports, port)
		}
	}

	// The least period counts, and only if all of them are given.
	least, known := 0.0, true
	for _, port := range ports {
		ns, ok := t.period[port]
		known = known && ok
		if least == 0 || ns < least {
			least = ns
		}
	}

	switch {
	case known:
		return nanoseconds(least), true
	case slices.Contains(ports, ""):
		return "", false
	}
	return "[get_property -min PERIOD [get_clocks -of_objects [get_ports {" + strings.Join(ports, " ") + "}]]]", false
}
