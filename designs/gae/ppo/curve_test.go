package ppo

import (
	"fmt"
	"strings"
	"testing"
)

func TestCurve(t *testing.T) {
	c := Curve{
		{Iteration: 1, Steps: 10},
		{Iteration: 2, Steps: 20, Episodes: 99, Return: -100, Iterate: -90.5, Finished: 99, Deviation: 0.25, Divergence: Divergence{KL: 1e-3, Clipped: 0.5}, ValueLoss: 7},
		{Iteration: 3, Steps: 30, Episodes: 110, Return: -240},
	}
	if n := c.Reached(-250); n != 30 { // not 20: too few episodes
		t.Errorf("−250 reached after %d steps, want 30", n)
	}
	if n := c.Reached(-239); n != 0 {
		t.Errorf("−239 reached after %d steps", n)
	}
	var b strings.Builder
	if err := c.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := "iteration,steps,episodes,return,iterate,finished,deviation,kl,clipped,value_loss\n1,10,0,0,0,0,0,0,0,0\n2,20,99,-100,-90.5,99,0.25,0.001,0.5,7\n3,30,110,-240,0,0,0,0,0,0\n"
	if b.String() != want {
		t.Errorf("CSV is\n%s", b.String())
	}
}

func TestBand(t *testing.T) {
	run := func(returns ...float64) (c Curve) {
		for i, r := range returns {
			p := Point{Steps: 10 * (i + 1), Return: r}
			if r != 0 {
				p.Episodes = 1
			}
			c = append(c, p)
		}
		return c
	}
	steps, mean, least, greatest := Band([]Curve{run(0, -9, -3, -1), run(-8, -5, -4), run(-7, -4, -2)})
	if got := fmt.Sprint(steps, mean, least, greatest); got != "[20 30] [-6 -3] [-9 -4] [-4 -2]" {
		t.Errorf("the band is %s", got)
	}
	if steps, _, _, _ := Band(nil); steps != nil {
		t.Errorf("no runs have steps %v", steps)
	}
}
