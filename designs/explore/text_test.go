package explore

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each point of the front has its letter in the picture once, in the row and column of
// its numbers; every line fits the frame.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		o := &Outcome{Sweeps: []Sweep{{Name: "n", Values: []string{"1", "2"}}}, Axes: []Axis{{"lut", false}, {"mhz", true}}}
		for i := range 1 + r.IntN(25) {
			o.Rows = append(o.Rows, Row{
				Values: map[string]string{"n": fmt.Sprint(i)}, State: Done,
				Results: map[string]float64{"lut": float64(r.IntN(1000)), "mhz": 200 * r.Float64()},
			})
		}
		o.MarkFront()
		_, best := o.dots()
		text := o.Text(60, 12)
		picture := strings.Join(strings.Split(text, "\n")[1:13], "\n")
		for i := range best {
			require.Equal(t, 1, strings.Count(picture, string(letter(i))), "%c in\n%s", letter(i), text)
		}

		// The rows are those of the numbers: a greater rate is never lower.
		for i, line := range strings.Split(picture, "\n") {
			require.LessOrEqual(t, len([]rune(line))-strings.IndexAny(line, "│┤"), 64, text)
			for k := range best {
				for _, below := range strings.Split(picture, "\n")[i+1:] {
					for m := range best {
						if strings.ContainsRune(line, letter(k)) && strings.ContainsRune(below, letter(m)) {
							require.Greater(t, best[k].y, best[m].y, text)
						}
					}
				}
			}
		}
	}
}

// A picture of three candidates, whole.
func ExampleOutcome_Text() {
	o := &Outcome{Sweeps: []Sweep{{Name: "stages", Values: []string{"1", "2", "3"}}}, Axes: []Axis{{"lut", false}, {"mhz", true}}}
	for i, p := range [][2]float64{{400, 50}, {420, 90}, {520, 80}} {
		o.Rows = append(o.Rows, Row{
			Values: map[string]string{"stages": fmt.Sprint(i + 1)}, State: Done,
			Results: map[string]float64{"lut": p[0], "mhz": p[1]},
		})
	}
	o.MarkFront()
	fmt.Print(o.Text(40, 8))
	// Output:
	// mhz
	// 90 ┤        b
	//    │
	// 80 ┤                                    ·
	//    │
	// 70 ┤
	// 60 ┤
	//    │
	// 50 ┤   a
	//    └───┬────┬─────┬─────┬────┬─────┬────┬─── lut
	//       400  420   440   460  480   500  520
	// a  lut 400, mhz 50  stages=1
	// b  lut 420, mhz 90  stages=2
}
