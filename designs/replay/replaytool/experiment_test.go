package replaytool

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/replay"
	"etch/hw"
	"etch/testbench/tools"
)

// 128 draws come one a cycle from the pipeline, from a million leaves too, and from
// the scan within Σf + (B−1)·max f and its way through head, product and queues.
func TestCyclesOfABatch(t *testing.T) {
	large := small
	large.Capacity = 1 << 20
	require.LessOrEqual(t, batch-1+replay.Pipelined{Config: large.Config}.Latency(), 175)

	var r SpeedReport
	code, out, errs := etch(t, "experiment", "replay-speed", "-leaves", "4096", "-repeat", "1", "-json")
	require.Zero(t, code, errs)
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	early := map[int]uint64{}
	for _, c := range r.Circuits {
		switch {
		case c.Form == "pipelined":
			l := small
			l.K, l.Strata = c.K, 2
			require.Equal(t, uint64(batch+replay.Pipelined{Config: l.Config}.Latency()), c.Samples, "with the cycle of the first offer")
			require.Equal(t, c.Samples, c.Updates)
		case c.Bound > 0 && c.Form == "scan":
			const way = 40
			require.LessOrEqual(t, c.Samples, uint64(c.Bound+way), "K = %d", c.K)
			early[c.K] = c.Samples
		case c.Bound > 0:
			require.Less(t, c.Samples, early[c.K])
		}
	}
	require.Len(t, r.Processor, 4)
}

// The trees of the processor draw what the circuits' model draws.
func TestSumTree(t *testing.T) {
	for _, k := range []int{2, 16} {
		s := newSumTree(k, 100)
		total := uint64(0)
		for i := range 100 {
			p := uint64(i * i % 37)
			s.update(i, 99)
			s.update(i, p)
			total += p
		}
		require.Equal(t, total, s.sum())
		x := uint64(0)
		for i := range 100 {
			for range s.leaf()[i] {
				require.Equal(t, i, s.find(x))
				x++
			}
		}
	}
}

func TestDrawsExperiment(t *testing.T) {
	code, out, errs := etch(t, "experiment", "replay-draws", "-draws", "100000", "-json")
	require.Zero(t, code, errs)
	var r struct {
		Draws     []DrawRow
		Exponents ExponentErrors
	}
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.Len(t, r.Draws, 2)
	require.InDelta(t, 0, r.Draws[0].Sigmas, 4)
	require.Less(t, r.Draws[1].Sigmas, 4.0)
	require.Less(t, r.Exponents.Weight, 3.0)
	require.Less(t, r.Exponents.LSB, 2.0)
	require.Less(t, r.Exponents.Ratio, 3e-5)
}

// Rows become block RAM, and the tree stays as small as it was.
func TestArea(t *testing.T) {
	if testing.Short() {
		t.Skip("synthesis")
	}
	tools.Need(t, "yosys")
	d, _, err := hw.Build(small)
	require.NoError(t, err)
	cells, err := cli.YosysFor("xc7", d, true)
	require.NoError(t, err)
	c := cells[d.Top.Name]
	t.Log(c)
	require.LessOrEqual(t, c.LUT, 2400)
	require.GreaterOrEqual(t, c.BRAM, 6)
	require.Equal(t, 6, c.DSP)
}

// Lists of forms and K are checked before anything runs.
func TestAreaTrees(t *testing.T) {
	trees, err := areaTrees(small, "2,64", "serial, scan")
	require.NoError(t, err)
	require.Len(t, trees, 4)
	require.Equal(t, replay.ByScan, trees[3].Form)
	require.Equal(t, 64, trees[3].K)
	for _, bad := range [][2]string{{"3", "scan"}, {"2,", "scan"}, {"2", "scna"}, {"128", "serial"}} {
		_, err := areaTrees(small, bad[0], bad[1])
		require.Error(t, err, bad)
	}
}

func TestReport(t *testing.T) {
	for _, form := range []string{"pipelined", "serial", "scan"} {
		v, err := report(cli.Values{"form": form}, io.Discard, "")
		require.NoError(t, err)
		r := v.(Report)
		require.Equal(t, form != "scan", r.Latency > 0)
		require.InDelta(t, 34, r.BitsALeaf, 6)
	}
}
