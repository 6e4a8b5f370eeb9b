package drivers

import (
	"fmt"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
)

// fights is an error for each wire of these bits.
func (c *driverCheck) fights(bad []ilBit) (errs []error) {
	slices.Sort(bad)
	var last *ilWire
	for _, b := range bad {
		// A net without a name of the user's is in the way between nets that have one.
		if w := c.m.wireOf(b); w != last && w.name[0] == '\\' {
			last = w
			errs = append(errs, c.explain(b, w))
		}
	}

	// If only nets without names have such drivers, the first is reported all the same.
	if len(errs) == 0 && len(bad) > 0 {
		errs = append(errs, c.explain(bad[0], c.m.wireOf(bad[0])))
	}
	return errs
}

// explain names a net and two of the drivers that fight.
func (c *driverCheck) explain(b ilBit, w *ilWire) error {
	name := strings.TrimPrefix(w.name, `\`)
	if w.width > 1 {
		name = fmt.Sprintf("%s[%d]", name, b-ilBit(w.base))
	}
	places := c.places(c.all[b], strings.TrimPrefix(w.name, `\`))
	module := strings.TrimSuffix(attribute.Where(c.m.attrs), ": ")
	declared := strings.TrimSuffix(attribute.Where(w.attrs), ": ")
	switch {
	case len(places) == 0 && declared != "":
		return fmt.Errorf("%s: net %s has two drivers", declared, name)
	case len(places) == 0:
		return fmt.Errorf("%s: net %s has two drivers", module, name)
	case len(places) == 1:
		return fmt.Errorf("%s: net %s is driven here twice", places[0], name)
	case w.dir == "input":
		return fmt.Errorf("%s: net %s is driven here and is the input at %s", places[1], name, places[0])
	}
	return fmt.Errorf("%s: net %s is driven here and at %s", places[1], name, places[0])
}

// places is where drivers are, without repeats, in the order of the text: where place
// knows it, else the next lines that assign to the net and that no other driver has.
func (c *driverCheck) places(list []source, net string) (places []string) {
	// The input stands first, whatever its line.
	unknown := 0
	var input string
	for _, s := range list {
		at := c.place(s)

		// An input is kept apart, to stand first; drivers without a line are counted.
		switch {
		case s.kind == fromInput:
			input = at
		case at == "":
			unknown++
		case !slices.Contains(places, at):
			places = append(places, at)
		}
	}

	// RTLIL has no line for some assigns: the text may have as many others.
	for _, at := range assignments(c.m, net) {
		if unknown > 0 && !slices.Contains(places, at) {
			places = append(places, at)
			unknown--
		}
	}
	slices.SortStableFunc(places, comparePlaces)
	if input != "" {
		places = append([]string{input}, places...)
	}
	return places
}

// place is where a driver is, "" when that is not known: RTLIL has no line of an
// assign, so it is that of the operation that it takes.
func (c *driverCheck) place(s source) string {
	var attrs []attribute.Pair
	switch s.kind {
	case fromInput:
		attrs = c.m.wires[s.at].attrs
	case fromCell:
		attrs = c.m.cells[s.at].attrs
	case fromBlock:
		attrs = c.m.procs[s.at].attrs
	case fromAssign:
		if s.bit < 0 || c.m.wireOf(s.bit).name[0] != '$' {
			break
		}
		if from := c.all[s.bit]; len(from) == 1 && from[0].kind == fromCell {
			attrs = c.m.cells[from[0].at].attrs
		}
	}

	// yosys writes line 0 where it knows none.
	at := strings.TrimSuffix(attribute.Where(attrs), ": ")
	if strings.HasSuffix(at, ":0") {
		return ""
	}
	return at
}
