package rltool

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/rl/env"
	"etch/designs/rl/loop"
	"etch/ir/input"
)

// row is a line of a file.
type row struct {
	line   int
	values []float64
}

// readRows reads a CSV file of finite numbers; columns must be as want makes them of the
// header.
func readRows(path string, want func(header []string) ([]string, error)) (rows []row, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := cli.CSV(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}

	// The header says which columns there are.
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no header: %v", path, err)
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}

	columns, err := want(header)
	if err == nil && !slices.Equal(header, columns) {
		err = fmt.Errorf("columns %s; want %s", input.Excerpt(strings.Join(header, ",")), strings.Join(columns, ","))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: line 1: %w", path, err)
	}

	// Rows of finite numbers, as many as there are columns.
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, cli.RecordError(err, record, columns))
		}

		line, _ := r.FieldPos(0)
		x := row{line, make([]float64, len(record))}
		for i, text := range record {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s: line %d, column %s: %s is not a number", path, line, columns[i], input.Excerpt(text))
			}
			x.values[i] = v
		}
		rows = append(rows, x)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no rows", path)
	}
	return rows, nil
}

// count is the number of columns of a name with numbers: s_0, s_1, …
func count(header []string, name string) (n int) {
	for _, h := range header {
		if strings.HasPrefix(h, name+"_") {
			n++
		}
	}
	return n
}

func numbered(name string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%s_%d", name, i))
	}
	return all
}

// observations is the header of a file of observations.
func observations(n int) func([]string) ([]string, error) {
	return func([]string) ([]string, error) { return numbered("s", n), nil }
}

// dataSet is a file of transitions.
type dataSet struct {
	path    string
	data    []loop.Transition
	weights []float64 // importance weights, 0 to 1
	lines   []int     // of the file, one a transition
	spec    env.Spec
}

// greatest is the row of the greatest action, of several the first.
func (t *dataSet) greatest() (row int) {
	for i, x := range t.data {
		if x.Action.Number > t.data[row].Action.Number {
			row = i
		}
	}
	return row
}

// within refuses rows whose observation, action or amounts are none of a network's.
func (t *dataSet) within(network env.Spec) error {
	for _, x := range []struct {
		column    string
		got, want int
	}{{"s_0", t.spec.Observation, network.Observation}, {"a_0", len(t.spec.Low), len(network.Low)}} {
		if x.got != x.want {
			return fmt.Errorf("%s: line 1: %d columns %s,…; the network has %d", t.path, x.got, x.column, x.want)
		}
	}
	for i, x := range t.data {
		if n := x.Action.Number; n > 0 && n >= network.Actions {
			return fmt.Errorf("%s: line %d, column a: %d is not an action of the network, 0 to %d", t.path, t.lines[i], n, network.Actions-1)
		}
	}
	return nil
}

// columns are the columns of a file of transitions.
type columns struct {
	observation, amounts int  // number of elements
	weighted             bool // there are weights; before the header is read: there may be
}

// of names the columns. The header's own names say how many observations and amounts there are.
func (c *columns) of(header []string) ([]string, error) {
	c.observation, c.amounts = count(header, "s"), count(header, "a")
	if c.observation == 0 {
		return nil, fmt.Errorf("no column s_0; want s_0…,a,reward,next_0…,discount, or a_0… in place of a")
	}

	actions := []string{"a"}
	if c.amounts > 0 {
		actions = numbered("a", c.amounts)
	}
	list := slices.Concat(numbered("s", c.observation), actions, []string{"reward"}, numbered("next", c.observation), []string{"discount"})
	if c.weighted = c.weighted && slices.Contains(header, "weight"); c.weighted {
		list = append(list, "weight")
	}
	return list, nil
}

// readTransitions reads s_0…,a,reward,next_0…,discount, or a_0… for amounts in [−1, 1], and
// if they are allowed importance weights, 0 to 1, in a last column; without it all are 1. The
// number of actions is one more than the greatest.
func readTransitions(path string, weights bool) (*dataSet, error) {
	t, c := &dataSet{path: path}, columns{weighted: weights}
	rows, err := readRows(path, c.of)
	if err != nil {
		return nil, err
	}
	t.spec.Observation = c.observation

	// The range of amounts is that of a learner.
	for range c.amounts {
		t.spec.Low, t.spec.High = append(t.spec.Low, -1), append(t.spec.High, 1)
	}
	n := t.spec.Observation
	for _, r := range rows {
		row := r.values
		bad := func(column string, x float64, want string) error {
			return fmt.Errorf("%s: line %d, column %s: %v is not %s", path, r.line, column, x, want)
		}

		// The action: a number, or amounts.
		x := loop.Transition{State: row[:n]}
		at := n + max(1, c.amounts)
		if c.amounts > 0 {
			x.Action.Amounts = row[n:at]
			for k, a := range x.Action.Amounts {
				if a < -1 || a > 1 {
					return nil, bad(fmt.Sprintf("a_%d", k), a, "-1 to 1")
				}
			}
		} else {
			if x.Action.Number = int(row[n]); row[n] != math.Trunc(row[n]) || row[n] < 0 || row[n] >= 4096 {
				return nil, bad("a", row[n], "an action, 0 to 4095")
			}
			t.spec.Actions = max(t.spec.Actions, x.Action.Number+1)
		}

		// The reward, and the next observation with its discount.
		x.Reward, x.Next, x.Discount = row[at], row[at+1:at+1+n], row[at+1+n]
		if x.Discount < 0 || x.Discount > 1 {
			return nil, bad("discount", x.Discount, "0 to 1")
		}

		weight := 1.0
		if c.weighted {
			if weight = row[at+2+n]; weight < 0 || weight > 1 {
				return nil, bad("weight", weight, "0 to 1")
			}
		}
		t.data, t.weights, t.lines = append(t.data, x), append(t.weights, weight), append(t.lines, r.line)
	}
	return t, nil
}
