package cli

import (
	"fmt"
	"strconv"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// maxWords is the number of words of a memory that are printed without being asked
// for by a range.
const maxWords = 1024

// shown reads the values of one -print.
type shown func() []printedValue

// printedValue is a signal or a word of a memory at the end of a run.
type printedValue struct {
	Name  string `json:"name"`
	Value string `json:"value"` // in the notation of its type
}

// words is a part of a memory that is printed at the end.
type words struct {
	mem    sim.Mem
	lo, hi int // addresses, hi included
}

// addPrint has a signal or words of a memory printed at the end.
func (r *runner) addPrint(name string) error {
	// A plain signal first; its name may have brackets of its own.
	sig, err := r.s.Signal(name)
	if err == nil {
		r.printed = append(r.printed, func() []printedValue {
			return []printedValue{{sig.Name(), shownAs(sig.Type(), r.s.GetBits(sig))}}
		})
		return nil
	}

	// Then a memory, whole or with a place in brackets.
	base, place, ranged := name, "", false
	mem, none := r.s.Mem(name)
	if at := strings.LastIndexByte(name, '['); none != nil && at > 0 && strings.HasSuffix(name, "]") {
		base, place, ranged = name[:at], name[at+1:len(name)-1], true
		mem, none = r.s.Mem(base)
	}
	if none != nil {
		return usagef("-print: %v", err)
	}

	w := words{mem, 0, mem.Depth() - 1}
	switch {
	case ranged:
		if w, err = wordsOf(mem, place); err != nil {
			return usagef("-print: %v", err)
		}
	case w.hi >= maxWords:
		return usagef("-print: %s has %d words; print some, as in %s[0:15]", base, mem.Depth(), base)
	}

	r.printed = append(r.printed, w.values)
	return nil
}

// wordsOf takes apart ADDRESS or FIRST:LAST.
func wordsOf(mem sim.Mem, place string) (words, error) {
	first, last, two := strings.Cut(place, ":")
	if !two {
		last = first
	}

	// Both ends are checked before either is used; their order does not matter.
	var at [2]int
	for i, digits := range []string{first, last} {
		n, err := strconv.ParseUint(digits, 0, 62)
		if err != nil {
			return words{}, fmt.Errorf("%q is not an address", digits)
		}
		if n >= uint64(mem.Depth()) {
			return words{}, fmt.Errorf("address %s is past the end of %s, which has %d words", digits, mem.Name(), mem.Depth())
		}

		at[i] = int(n)
	}
	return words{mem, min(at[0], at[1]), max(at[0], at[1])}, nil
}

func (w words) values() (list []printedValue) {
	for at := w.lo; at <= w.hi; at++ {
		list = append(list, printedValue{fmt.Sprintf("%s[%d]", w.mem.Name(), at), shownAs(w.mem.Type(), w.mem.Read(at))})
	}
	return list
}

func shownAs(t ir.Type, v bits.Value) string {
	if t.Kind == ir.Float {
		return fmt.Sprintf("%s (0x%s)", t.TextOf(v), v.Hex())
	}
	if t.Kind.Signed() {
		return v.SignedBig().String()
	}

	// Wide values are words and addresses rather than counts.
	if v.Width() > 16 {
		return "0x" + v.Hex()
	}
	return v.Dec()
}
