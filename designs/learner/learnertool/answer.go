package learnertool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"etch/designs/cli"
	"etch/ir"
)

// Answer is the configurations that fit, the fastest first.
type Answer struct {
	Best   []Choice           `json:"best"`
	Faster *Choice            `json:"faster,omitempty"` // the slowest that is faster than the best and does not fit
	Tried  int                `json:"tried"`            // configurations that the search covers
	Late   string             `json:"late,omitempty"`   // the part of the search that its time did not suffice for
	Errors map[string]float64 `json:"model_errors"`     // the greatest of points that were not fitted, relative
	Points int                `json:"points"`
	Beyond float64            `json:"beyond,omitempty"` // LUT of the largest point, where the best is larger: the estimate is extrapolated
	Export string             `json:"export"`
	// Learned is how the formats have learned, with -quality.
	Learned []Learned          `json:"learned,omitempty"`
	Yosys   map[string]float64 `json:"yosys,omitempty"`
	Lacks   string             `json:"lacks,omitempty"` // of the device, as yosys counts
	MHz     []float64          `json:"mhz,omitempty"`
}

// answer works out the cycles of all configurations exactly, and the area of some by their
// netlists, until enough fit and all faster ones are known not to, or time runs out.
func (q question) answer(ctx context.Context) (a Answer, err error) {
	// The model, and how wrong it is about designs that it has not seen.
	model, points, err := areaModel(q.family)
	if err != nil {
		return a, err
	}
	a.Points = len(points)
	if a.Errors, err = greatestErrors(points); err != nil {
		return a, err
	}

	// From here on the clock runs.
	search, stop := context.WithTimeout(ctx, q.time)
	defer stop()
	all, tried, err := q.candidates(search)
	if err != nil {
		return a, q.late(ctx, err, "the cycles of all configurations were worked out")
	}
	a.Tried = tried
	s := sizing{q, model, all, make([]*Choice, len(all))}
	err = s.enough(search, q.top)
	a.Best, a.Faster = s.best(q.top)

	// With too little time there is an answer yet, which says how far the search came.
	switch {
	case err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)):
		return a, err
	case err != nil && len(a.Best) == 0:
		return a, q.late(ctx, err, "a configuration was found that fits")
	case err != nil:
		a.Late = s.late(q.time, len(a.Best) < q.top)
	case len(a.Best) == 0:
		// The smallest names the resource that the device lacks.
		c := s.known[len(all)-1]
		return a, cli.Usagef("no learner of this network fits; the smallest of %d configurations has tiles %s, DP %d, %d bits: %s", tried, c.Tiles, c.DP, c.Bits, c.Lacks)
	}

	// Estimates beyond the largest point are extrapolated.
	largest := 0.0
	for _, p := range points {
		largest = max(largest, p.Cells["lut"])
	}
	if a.Best[0].Cells["lut"] > largest {
		a.Beyond = largest
	}
	a.Export = a.Best[0].export()
	return a, nil
}

// late is the error of a search whose time ran out before it got somewhere.
func (q question) late(ctx context.Context, err error, goal string) error {
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("time ran out (-time %v) before %s", q.time, goal)
	}
	return err
}

// sizing estimates cells of configurations, the fastest of which comes first and mostly is
// the largest.
type sizing struct {
	question
	model areaModelOf
	all   []candidate
	known []*Choice // with cells; nil: not estimated
}

// enough estimates configurations until the top fastest ones that fit are known. Netlists of
// large learners take long to build. So a binary search finds the first learner that fits,
// as if area fell with speed; then the faster learners are estimated one by one, since area
// does not quite fall.
func (s *sizing) enough(ctx context.Context, top int) error {
	// Where the smallest does not fit, nothing is known of the others.
	last := len(s.all) - 1
	fits, err := s.fits(ctx, last)
	if err != nil {
		return err
	}

	// By halves, to the first that fits.
	first := last
	if fits {
		for low := 0; low < first; {
			middle := (low + first) / 2
			fits, err := s.fits(ctx, middle)
			if err != nil {
				return err
			}
			if fits {
				first = middle
			} else {
				low = middle + 1
			}
		}
	}

	// As many slower learners as are asked for, then the faster ones.
	for i, found := first, 0; i <= last && found < top; i++ {
		fits, err := s.fits(ctx, i)
		if err != nil {
			return err
		}
		if fits {
			found++
		}
	}

	for i := first - 1; i >= 0; i-- {
		if _, err := s.fits(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// fits estimates a configuration's cells and reports whether the device has them.
func (s *sizing) fits(ctx context.Context, i int) (bool, error) {
	if s.known[i] == nil {
		x := s.all[i]
		c, err := s.choice(x.bits, x.tiles, x.dp)
		if err != nil {
			return false, err
		}

		// A product takes a block at least, and a large memory as many as hold its bits: where
		// the device has fewer, no netlist is needed, which takes long for just these.
		least := map[string]float64{"dsp": float64(c.Multipliers), "bram": s.blocks(x)}
		if c.Lacks = s.device.Missing(least); c.Lacks != "" {
			c.Cells = map[string]float64{"dsp": least["dsp"]}
			if least["bram"] > float64(s.device.BRAM) {
				c.Lacks += ", for weights and gradients alone"
			}
			s.known[i] = &c
			return false, nil
		}

		// The netlist is made for its counts, of which the area model makes cells.
		c.Cells, err = within(ctx, func() (map[string]float64, error) {
			d, err := c.build()
			if err != nil {
				return nil, err
			}
			return s.model.cells(d), nil
		})
		if err != nil {
			return false, err
		}
		c.Lacks = s.device.Missing(c.Cells)
		s.known[i] = &c
	}
	return s.known[i].Lacks == "", nil
}

// blocks is a lower bound of the block RAMs of 18 kbit that a learner takes: for each layer,
// the memories of weights, of the target network's weights and of gradients. Memories of up
// to 64 words are not counted, as they may become tables.
func (q question) blocks(c candidate) (n float64) {
	for i, net := range q.networks() {
		for l := range net.layers() {
			t := [2]int(c.tiles[i][2*l:])
			if words := net.words(l, t); words > 64 {
				n += 3 * float64((t[0]*t[1]*c.bits+35)/36*((words+511)/512))
			}
		}
	}
	return n
}

// best are the fastest that are known to fit, and the slowest faster one that is known not to.
func (s *sizing) best(top int) (best []Choice, faster *Choice) {
	for _, c := range s.known {
		switch {
		case c == nil || len(best) == top:
		case c.Lacks == "":
			best = append(best, *c)
		case len(best) == 0:
			faster = c
		}
	}
	return best, faster
}

// late says which part of the search is missing. Slower: so are some behind the best.
func (s *sizing) late(time time.Duration, slower bool) string {
	unknown := 0
	for _, c := range s.known {
		if c == nil {
			unknown++
		} else if c.Lacks == "" {
			break
		}
	}
	text := fmt.Sprintf("time ran out (-time %v): the cells of %d faster configurations were not estimated, some of which may fit", time, unknown)
	if slower {
		text += "; slower ones are missing, too"
	}
	return text
}

// within runs a step that cannot be interrupted, and leaves it behind when the context
// ends: so does the command then.
func within[T any](ctx context.Context, step func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := step()
		done <- result{value, err}
	}()

	// A result that is there counts, even if time has run out meanwhile.
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// built is the netlist of a choice.
func (c Choice) built(ctx context.Context) (*ir.Design, error) { return within(ctx, c.build) }
