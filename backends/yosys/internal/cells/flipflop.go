package cells

import (
	"strings"

	"etch/backends/yosys/internal/attribute"
)

// ff describes a cell that holds Q: its pins and their polarity. A pin
// that it has not is "".
type ff struct {
	clocked, latch bool // neither: it has no clock (formal)
	clk            string
	rising         bool
	en             string
	enHigh         bool
	arst           string
	arstHigh       bool
	srst           string
	srstHigh       bool
	enFirst        bool // without enable there is no synchronous reset
	value          attribute.Value
	set, clr       string
	setHigh        bool
	clrHigh        bool
	aload          string
	aloadHigh      bool
}

// wordFF is the family of word-level cells: which pins each has.
var wordFF = map[string]string{
	"$dff": "C", "$dffe": "CE", "$adff": "CA", "$adffe": "CAE", "$sdff": "CS", "$sdffe": "CSE", "$sdffce": "CSEF",
	"$dffsr": "CB", "$dffsre": "CBE", "$aldff": "CL", "$aldffe": "CLE",
	"$dlatch": "E", "$adlatch": "EA", "$dlatchsr": "EB", "$sr": "B", "$ff": "", "$anyinit": "",
}

// flipFlop returns the kind of state of a cell, nil if it has none. ok is false for an
// unknown cell with a name like a flip-flop's.
func flipFlop(c *cell) (f *ff, ok bool) {
	pins, found := wordFF[c.kind]
	if !found {
		if strings.HasPrefix(c.kind, "$_") {
			return gateFF(c.kind)
		}
		return nil, true
	}

	// A letter stands for a pin, or a pair of pins, of the family.
	f = &ff{}
	for _, p := range pins {
		switch p {
		case 'C':
			f.clocked, f.clk, f.rising = true, "CLK", c.flag("CLK_POLARITY")
		case 'E':
			f.en, f.enHigh = "EN", c.flag("EN_POLARITY")
		case 'A':
			f.arst, f.arstHigh, f.value = "ARST", c.flag("ARST_POLARITY"), c.param("ARST_VALUE")
		case 'S':
			f.srst, f.srstHigh, f.value = "SRST", c.flag("SRST_POLARITY"), c.param("SRST_VALUE")
		case 'F':
			f.enFirst = true
		case 'B':
			f.set, f.setHigh, f.clr, f.clrHigh = "SET", c.flag("SET_POLARITY"), "CLR", c.flag("CLR_POLARITY")
		case 'L':
			f.aload, f.aloadHigh = "ALOAD", c.flag("ALOAD_POLARITY")
		}
	}
	f.latch = strings.Contains(c.kind, "latch") || c.kind == "$sr"
	return f, true
}

// gateFamilies gives the meaning of the letters behind a gate's name: c clock, e enable,
// r reset and v its value, s set, q clear, l load.
var gateFamilies = []struct{ name, letters string }{
	{"$_DFF_", "c"}, {"$_DFFE_", "ce"}, {"$_DFF_", "crv"}, {"$_DFFE_", "crve"}, {"$_SDFF_", "cRv"}, {"$_SDFFE_", "cRve"},
	{"$_SDFFCE_", "cRvf"}, {"$_DFFSR_", "csq"}, {"$_DFFSRE_", "csqe"}, {"$_ALDFF_", "cl"}, {"$_ALDFFE_", "cle"},
	{"$_DLATCH_", "e"}, {"$_DLATCH_", "erv"}, {"$_DLATCHSR_", "esq"}, {"$_SR_", "sq"}, {"$_FF_", ""},
}

// gateFF is flipFlop for the cells of gates, such as $_DFFE_PN0P_.
func gateFF(kind string) (*ff, bool) {
	if kind == "$_FF_" {
		return &ff{}, true
	}

	// The letters of a gate follow the name of its family, P or N for each pin.
	for _, g := range gateFamilies {
		rest, ok := strings.CutPrefix(kind, g.name)
		rest, end := strings.CutSuffix(rest, "_")
		if !ok || !end || len(rest) != len(g.letters) || len(rest) == 0 {
			continue
		}
		f := &ff{latch: strings.HasPrefix(kind, "$_DLATCH") || g.letters == "sq"}
		for i, letter := range g.letters {
			high := rest[i] == 'P'
			switch letter {
			case 'c':
				f.clocked, f.clk, f.rising = true, "C", high
			case 'e':
				f.en, f.enHigh = "E", high
			case 'f':
				f.en, f.enHigh, f.enFirst = "E", high, true
			case 'r':
				f.arst, f.arstHigh = "R", high
			case 'R':
				f.srst, f.srstHigh = "R", high
			case 'v':
				f.value = attribute.Value(rest[i : i+1])
			case 's':
				f.set, f.setHigh = "S", high
			case 'q':
				f.clr, f.clrHigh = "R", high
			case 'l':
				f.aload, f.aloadHigh = "L", high
			}
		}
		return f, true
	}
	return nil, !strings.Contains(kind, "DFF") && !strings.Contains(kind, "LATCH")
}
