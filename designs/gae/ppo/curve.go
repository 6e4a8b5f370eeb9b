package ppo

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
)

// recentEpisodes is how many finished episodes a point of the curve averages over.
const recentEpisodes = 100

// Point is an iteration of a run.
type Point struct {
	Iteration int `json:"iteration"` // from 1 on
	Steps     int `json:"steps"`     // in all environments so far
	Episodes  int `json:"episodes"`  // finished so far
	// Return is the mean return of the last 100 finished episodes with the exploring
	// policy, of all while there are fewer, 0 while there are none.
	Return float64 `json:"return"`
	// Iterate is the mean return of the episodes that finished in this iteration,
	// and Finished their number; 0 if there were none.
	Iterate   float64 `json:"iterate"`
	Finished  int     `json:"finished"`
	Deviation float64 `json:"deviation"` // of the policy, 1 is MaxTorque
	Divergence
	ValueLoss float64 `json:"value_loss"` // mean of ½(V − return)² in the update
}

// Curve is a run's points, one an iteration.
type Curve []Point

// Last is the mean return at the end, 0 of an empty curve.
func (c Curve) Last() float64 {
	if len(c) == 0 {
		return 0
	}
	return c[len(c)-1].Return
}

// Reached is the number of steps after which Return was at least limit over 100
// finished episodes, or 0 if that never was.
func (c Curve) Reached(limit float64) int {
	for _, p := range c {
		if p.Episodes >= recentEpisodes && p.Return >= limit {
			return p.Steps
		}
	}
	return 0
}

// WriteCSV writes the curve with a header line.
func (c Curve) WriteCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "iteration,steps,episodes,return,iterate,finished,deviation,kl,clipped,value_loss")
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, p := range c {
		fmt.Fprintf(b, "%d,%d,%d,%s,%s,%d,%s,%s,%s,%s\n", p.Iteration, p.Steps, p.Episodes, number(p.Return),
			number(p.Iterate), p.Finished, number(p.Deviation), number(p.KL), number(p.Clipped), number(p.ValueLoss))
	}
	return b.Flush()
}

// Band sums up runs of one configuration with several seeds: after each number of
// steps that all have reached, the mean of their returns, the least and the greatest.
// Points at which some run has finished no episode yet are left out.
func Band(runs []Curve) (steps, mean, least, greatest []float64) {
	if len(runs) == 0 {
		return nil, nil, nil, nil
	}

	// The shortest run decides how far the band goes.
	n := len(runs[0])
	for _, c := range runs {
		n = min(n, len(c))
	}
	for i := range n {
		low, high, sum, whole := math.Inf(1), math.Inf(-1), 0.0, true
		for _, c := range runs {
			p := c[i]
			low, high, sum = min(low, p.Return), max(high, p.Return), sum+p.Return
			whole = whole && p.Episodes > 0
		}
		if whole {
			steps = append(steps, float64(runs[0][i].Steps))
			mean = append(mean, sum/float64(len(runs)))
			least, greatest = append(least, low), append(greatest, high)
		}
	}
	return steps, mean, least, greatest
}
