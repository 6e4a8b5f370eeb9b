package ppo

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"etch/designs/pendulum"
)

func TestTune(t *testing.T) {
	text := os.Getenv("PPO_TUNE")
	if text == "" {
		t.Skip()
	}
	before := 0.0
	var seeds int = 3
	fmt.Sscan(os.Getenv("PPO_SEEDS"), &seeds)
	starts := pendulum.Starts(200, 77)
	for s := range seeds {
		c := Default()
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		c.Seed = uint64(s + 1)
		tr, err := New(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if err := tr.Run(context.Background(), nil); err != nil {
			fmt.Println(err)
		}
		cv := tr.Curve()
		tm := tr.Times()
		var ru syscall.Rusage
		syscall.Getrusage(0, &ru)
		cpu := float64(ru.Utime.Nano()) / 1e9
		fmt.Printf("cpu %.1f ", cpu-before)
		before = cpu
		fmt.Printf("seed %d last %.1f reached250 %d reached200 %d eval %.1f dev %.2f kl %.4f clip %.2f  %.1fs (roll %.1f gae %.2f upd %.1f)\n", c.Seed, cv.Last(), cv.Reached(-250), cv.Reached(-200), pendulum.Evaluate(starts, tr.Policy()).Mean, cv[len(cv)-1].Deviation, cv[len(cv)-1].KL, cv[len(cv)-1].Clipped, time.Since(begin).Seconds(), tm.Rollout.Seconds(), tm.GAE.Seconds(), tm.Update.Seconds())
		if s == 0 && os.Getenv("PPO_V") != "" {
			for i, p := range cv {
				if i%5 == 4 {
					fmt.Printf("  %d %.0f %.0f dev %.2f kl %.4f clip %.2f\n", p.Steps, p.Return, p.Iterate, p.Deviation, p.KL, p.Clipped)
				}
			}
		}
	}
}
