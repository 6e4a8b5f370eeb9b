package view

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"etch/ir"
	"etch/sim"
)

// savedRow is a row of GTKWave's list.
type savedRow struct {
	scope  string // that the signal is in, for a comment row; "" of the top
	bundle string // full name of the bundle or stream that it is a part of, or ""
	name   string // from the top's scope on, with the range of its bits
	flags  string // how the value is shown
}

// Flags of rows are bits in hexadecimal. Of values: 0x20 right-justified, 0x08 binary, 0x02
// hexadecimal, 0x400 signed. Of other rows: 0x200 a comment, 0x800000 the begin of a group,
// 0x1000000 its end.
const (
	flagsBit     = "28"
	flagsNumber  = "22"
	flagsSigned  = "420"
	flagsComment = "200"
	flagsBegin   = "800200"
	flagsEnd     = "1000200"
)

// savedSignal is the row of a signal. Its range of bits is as the waves have it.
func savedSignal(top string, sig sim.Signal) savedRow {
	c, _ := sig.Node()
	row := savedRow{scope: c.Path(), name: top + "." + sig.Name(), flags: flagsBit}
	if bundle := bundleOf(c, sig); bundle != "" {
		row.bundle = strings.TrimPrefix(row.scope+"."+bundle, ".")
	}
	if sig.Width() == 1 {
		return row
	}

	// The bits of a number with fraction count from below its point.
	row.flags = flagsNumber
	low, t := 0, sig.Type()
	if t.Kind == ir.Fixed {
		low = -t.Frac
	}
	if t.Kind.Signed() {
		row.flags = flagsSigned
	}
	row.name += fmt.Sprintf("[%d:%d]", low+sig.Width()-1, low)
	return row
}

// saved is the row of a variable of a dump. A vector whose range the file does not name counts
// from 0, as GTKWave has it.
func (x *dumpVar) saved() savedRow {
	row := savedRow{scope: strings.TrimSuffix(strings.TrimSuffix(x.name, x.base), "."), name: x.name, flags: flagsNumber}
	switch {
	case x.width == 1:
		row.flags = flagsBit
	case x.signed:
		row.flags = flagsSigned
	}
	if x.width > 1 && !x.real {
		row.name += cmp.Or(x.bits, fmt.Sprintf("[%d:0]", x.width-1))
	} else {
		row.name += x.bits
	}
	return row
}

// saveFile is GTKWave's list of rows over a file of waves.
func saveFile(waves string, rows []savedRow) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "[*] of etch view\n[dumpfile] %q\n[timestart] 0\n", waves)

	// A scope is a comment row, and a bundle an open group with the bundle's name at both ends.
	// Both are written where they change; a bundle is within one scope.
	scope, bundle := "", ""
	label := func(flags, text string) { fmt.Fprintf(&b, "@%s\n-%s\n", flags, text) }
	end := func() {
		if bundle != "" {
			label(flagsEnd, bundle)
		}
	}
	for _, row := range rows {
		changed := row.bundle != bundle
		if changed {
			end()
		}
		if row.scope != scope {
			label(flagsComment, cmp.Or(row.scope, "top"))
			scope = row.scope
		}
		if bundle = row.bundle; changed && bundle != "" {
			label(flagsBegin, bundle)
		}
		fmt.Fprintf(&b, "@%s\n%s\n", row.flags, row.name)
	}
	end()
	return b.Bytes()
}
