package view

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"etch/ir/input"
)

// text is a value of a dump as the page shows it: the name of an enumeration, a number where all bits
// are 0 and 1, as in valueText, else the digits themselves, or a real or text as it stands.
func (x *dumpVar) text(value string) string {
	if name, ok := x.names[value]; ok {
		return name
	}
	n, ok := x.number(value)
	if !ok || x.width == 1 {
		return value
	}
	if x.width <= 16 || x.signed {
		return n.String()
	}
	return "0x" + n.Text(16)
}

// number is the value of digits that are all 0 or 1.
func (x *dumpVar) number(value string) (*big.Int, bool) {
	if len(value) != x.width || strings.Trim(value, "01") != "" || value == "" {
		return nil, false
	}
	n, ok := new(big.Int).SetString(value, 2)
	if ok && x.signed && value[0] == '1' {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(x.width)))
	}
	return n, ok
}

// dumpCondition is a comparison of a variable with a number, or of its digits or text with a word.
type dumpCondition struct {
	x    *dumpVar
	op   string
	want *big.Int // nil: word
	word string
}

// conditions reads comparisons that are joined by &&.
func (d *Dump) conditions(text string) (list []dumpCondition, err error) {
	for part := range strings.SplitSeq(text, "&&") {
		m := comparison.FindStringSubmatch(part)
		if m == nil || m[1] != "" && m[3] != "" {
			return nil, fmt.Errorf("%q is no condition, as in top.count >= 5 && top.en, or !top.busy", input.Message(part))
		}
		c := dumpCondition{op: m[3]}
		if c.x, err = d.variable(m[2]); err != nil {
			return nil, err
		}

		// A word that is no number may still be the text of a variable, or digits such as x: it can be
		// equal, but it has no order. Without comparison a name means "not 0", and with ! "0".
		switch {
		case m[3] != "":
			if n, ok := new(big.Int).SetString(m[4], 0); ok && len(m[4]) < 1<<12 {
				c.want = n
			} else if c.word = strings.ToLower(m[4]); m[3] != "==" && m[3] != "=" && m[3] != "!=" {
				return nil, fmt.Errorf("%q is not a number, as in 12, -3, 0xff or 0b101", input.Message(m[4]))
			}
		case m[1] != "":
			c.op, c.want = "==", new(big.Int)
		default:
			c.op, c.want = "!=", new(big.Int)
		}

		list = append(list, c)
	}
	return list, nil
}

// holds reports whether a value fulfils a comparison. A word is compared with its digits or its
// name. Digits that are not 0 or 1 equal no number and differ from none.
func (c *dumpCondition) holds(value string) bool {
	if c.want == nil {
		same := strings.ToLower(value) == c.word || strings.EqualFold(c.x.names[value], c.word)
		return same == (c.op != "!=")
	}

	// Real numbers come as decimal text, which is not as long as the variable is wide.
	n, ok := c.x.number(value)
	if f, err := strconv.ParseFloat(value, 64); !ok && c.x.width != 1 && err == nil && c.want.IsInt64() && len(value) != c.x.width {
		return compared(c.op, compareFloats(f, float64(c.want.Int64())))
	}
	return ok && compared(c.op, n.Cmp(c.want))
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compared reports whether an order fulfils a comparison.
func compared(op string, order int) bool {
	switch op {
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return order == 0
}

// until answers with the next time at which conditions begin to hold, or, with back, the last one before.
func (d *Dump) until(q query) (any, error) {
	list, err := d.conditions(q.Get("condition"))
	if err != nil {
		return nil, err
	}
	t, err := d.time(q, "cycle", d.begin)
	if err != nil {
		return nil, err
	}

	var vars []*dumpVar
	for _, c := range list {
		vars = append(vars, c.x)
	}

	// Forwards, ranges double: a near hit reads little, a far one reads the file in few passes.
	// Each range begins with the values at its from, so that a condition that holds there already
	// does not begin again.
	found, has := uint64(0), false
	if q.Get("back") == "" {
		for from, length := t, uint64(4096); !has && from < d.end; from, length = from+min(length, d.end-from), 2*length {
			to := from + min(length, d.end-from)
			if found, has, err = d.begins(list, vars, from, to, false); err != nil {
				return nil, err
			}
		}
	} else {
		// Backwards, a range must be read to its end: its last begin counts.
		err = d.backwards(t, func(from, to uint64) (bool, error) {
			var err error
			found, has, err = d.begins(list, vars, from, to-1, true)
			return has, err
		})
	}

	switch {
	case err != nil:
		return nil, err
	case !has:
		return nil, fmt.Errorf("%s does not begin to hold %s time %d", input.Message(q.Get("condition")), map[bool]string{true: "before", false: "behind"}[q.Get("back") != ""], t)
	}
	return span{d.begin, d.end, found}, nil
}

// begins finds the first time, or the last, behind from and up to to, at which conditions hold that did
// not hold before.
func (d *Dump) begins(list []dumpCondition, vars []*dumpVar, from, to uint64, last bool) (found uint64, has bool, err error) {
	type event struct {
		netChange
		net int
	}
	var events []event
	err = d.trace.Changes(nets(vars), from, to, func(net int, time uint64, value string) error {
		events = append(events, event{netChange{time, value}, net})
		if len(events) > mostSearched*10 {
			return fmt.Errorf("more than %d changes between times %d and %d: go nearer first", mostSearched*10, from, to)
		}
		return nil
	})
	if err != nil {
		return 0, false, err
	}

	// A time's changes count together.
	slices.SortStableFunc(events, func(a, b event) int {
		if a.time < b.time {
			return -1
		} else if a.time > b.time {
			return 1
		}
		return 0
	})

	// A condition begins at the first time at which it holds and did not hold at the time before.
	// The values at from only set the state.
	now, held := map[int]string{}, false
	for i, e := range events {
		if now[e.net] = e.value; i+1 < len(events) && events[i+1].time == e.time {
			continue
		}
		holds := true
		for j := range list {
			holds = holds && list[j].holds(now[list[j].x.net])
		}
		if holds && !held && e.time > from {
			found, has = e.time, true
			if !last {
				return found, has, nil
			}
		}
		held = holds
	}
	return found, has, nil
}
