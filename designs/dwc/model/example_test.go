package model_test

import (
	"fmt"

	"etch/designs/dwc/model"
)

// A model is folded once, then evaluated on sensor codes as the circuit does it.
func Example() {
	m := &model.Model{
		Format: model.FormatVersion, SensorBits: 8, DACBits: 8,
		Obs: []model.Dim{{Name: "angle", Mean: 0, Var: 1, Max: 12.7 / 1.1, Scale: 0.1}},
		Layers: []model.Layer{{
			N: 2, Inputs: 3,
			Pins:   [][]int{{0, 1}, {1, 0}},
			Tables: []uint64{0b1000, 0b1010}, // AND of its pins; its pin 0
		}},
		Head: model.Head{Kind: model.SAC, Actions: []model.Action{{Scale: 2, Low: -2, High: 2}}},
	}
	m.Thresholds, _ = model.NewThresholds(model.Own, 3) // −10, 0, +10
	f, err := m.Fold()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("comparators:", f.Bits[0])
	fmt.Println("ROM:", m.ROM(0))
	e := model.NewEval(f)
	code := m.Quantise(0, 0.52)
	word := make([]int, 1)
	e.Act([]int{code}, word)
	fmt.Printf("code %d: bits %d, counts %d, word %d, %.3f\n",
		code, e.Encode([]int{code}), e.Counts([]int{code}), word[0], m.Decode(0, word[0]))
	// Output:
	// comparators: [> -101 > 0 0]
	// ROM: [-59 0 59]
	// code 5: bits [1 1 0], counts [2], word 59, 0.929
}
