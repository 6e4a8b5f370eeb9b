package emit

import (
	"math/rand/v2"
	"testing"

	"etch/sim/choose"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
	"etch/sim/net/randnet"
)

// TestBanksOfManySizes: the nets above have banks for every kind of arm64 code too:
// of one to four sets of staged bytes, of more than registers hold, and of every
// number of inputs from two on.
func TestBanksOfManySizes(t *testing.T) {
	sets, inputs := map[int32]int{}, map[int]int{}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := randnet.Layered(r, 1+int(seed%6), randnet.Registers(seed)).Gather(&choose.Standard().Net.Banks)
		for i := range n.N {
			if n.N[i].Op == net.Tables {
				b := schedule.ShapeOf(n, net.ID(i))
				sets[(min(b.Staged, maxTabled+1)-1)/(16*setVecs)]++
				inputs[b.Inputs]++
			}
		}
	}
	for k := range int32(5) {
		if sets[k] < 3 {
			t.Errorf("%d banks of %d sets", sets[k], k+1)
		}
	}
	for k := 2; k <= 6; k++ {
		if inputs[k] < 3 {
			t.Errorf("%d banks of %d inputs", inputs[k], k)
		}
	}
	t.Log(sets, inputs)
}
