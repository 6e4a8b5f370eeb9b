package browser

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"
	"etch/testbench/view"
)

// elapsed is the milliseconds from the start of the navigation to the present.
const elapsed = "performance.now()"

// painted is the milliseconds from the start of the navigation to the first text on the screen.
const painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"

// BenchmarkOpen opens the processor in a new browser: to the first paint, and until every panel is drawn.
func BenchmarkOpen(b *testing.B) {
	opens(b, bench.RV32I{}, "")
}

// BenchmarkSchematic opens a design whose schematic has as many boxes as are drawn at once, cold.
func BenchmarkSchematic(b *testing.B) {
	opens(b, bench.Quiet{Units: 57, Stages: 8, Ops: 50}, "")
}

func opens(b *testing.B, c hw.Component[bench.Ports], at string) {
	first, ready := 0.0, 0.0
	for b.Loop() {
		p := open(b, live(b, c), at)
		ready += eval[float64](p, elapsed)
		first += eval[float64](p, painted)
		b.ReportMetric(float64(eval[int](p, "document.querySelectorAll('svg .box').length")), "boxes")
	}
	b.ReportMetric(first/float64(b.N), "ms-first-paint")
	b.ReportMetric(ready/float64(b.N), "ms-all-panels")
}

// BenchmarkScroll moves the waves of 50 signals through a run of a million cycles, one turn of the
// wheel in each frame. Beside frames a second, which other programs on the machine lower, it gives the
// browser's processor time for a frame.
func BenchmarkScroll(b *testing.B) {
	const cycles, signals, frames = 1_000_000, 50, 200
	d, _, err := hw.Build(bench.RV32I{})
	require.NoError(b, err)
	s, err := sim.New(d, sim.WithOutput(nil))
	require.NoError(b, err)
	defer s.Close()
	s.Record(1 << 20)
	s.Reset()
	s.Step(cycles - int(s.Cycles()))
	run, err := replay.Of(s.Recorded())
	require.NoError(b, err)

	p := open(b, view.Recorded(run), "cycle=500000&waves="+strings.Join(names(b, run.Sim(), signals), ","))
	require.GreaterOrEqual(b, eval[int](p, "document.querySelectorAll('#rows .row').length"), signals) // and bundles
	rate, before := 0.0, browserTime(b)
	for b.Loop() {
		eval[bool](p, `(() => { const rows = document.querySelector('#rows'), begin = performance.now(); let n = 0; window.rate = 0;
			const frame = () => {
				rows.dispatchEvent(new WheelEvent('wheel', { deltaY: 40, deltaX: 0, shiftKey: true, bubbles: true, cancelable: true }));
				if (++n < `+strconv.Itoa(frames)+`) requestAnimationFrame(frame); else window.rate = 1000 * n / (performance.now() - begin);
			};
			requestAnimationFrame(frame); return true; })()`)
		p.until("window.rate > 0")
		rate += eval[float64](p, "window.rate")
	}
	b.ReportMetric(float64((browserTime(b)-before).Milliseconds())/float64(frames*b.N), "browser-ms/frame")
	require.Greater(b, eval[int](p, "Number(document.querySelector('#range').textContent.match(/[0-9]+/)[0])"), 500_000)
	b.ReportMetric(rate/float64(b.N), "frames/s")
}

// names is the first signals of a design that a user has named.
func names(b *testing.B, s *sim.Sim, most int) (list []string) {
	var visit func(c sim.Scope)
	visit = func(c sim.Scope) {
		for _, sig := range c.Signals() {
			if !strings.Contains(sig.Name(), "%") {
				list = append(list, sig.Name())
			}
		}
		for _, k := range c.Children() {
			visit(k)
		}
	}
	visit(s.Root())
	require.GreaterOrEqual(b, len(list), most)
	return list[:most]
}
