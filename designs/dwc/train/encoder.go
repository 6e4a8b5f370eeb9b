package train

import "etch/designs/dwc/model"

// encoder turns sensor codes into the inputs of the networks. Training sees the
// world through the same sensor and the same folded integer thresholds as the
// circuit, so the deployed controller holds no surprise but the DAC's
// rounding.
type encoder struct {
	model *model.Model
	zero  int // index of code 0 in the tables
	// level[d][zero+code] is how many thermometer bits the code sets.
	level [][]uint16
	// norm[d][zero+code] is the normalised observation, for the critics.
	norm [][]float32
}

func newEncoder(f *model.Folded) *encoder {
	m := f.Model
	limit := model.MaxCode(m.SensorBits)
	e := &encoder{model: m, zero: limit}

	// Codes ascend and so does the level, so one walk over the thresholds of a dimension fills the
	// table.
	for d, row := range f.Bits {
		level := make([]uint16, 2*limit+1)
		norm := make([]float32, 2*limit+1)
		dim := &m.Obs[d]
		k := 0
		for code := -limit; code <= limit; code++ {
			for k < len(row) && row[k].Value(code) {
				k++
			}
			level[limit+code] = uint16(k)
			norm[limit+code] = float32((float64(m.Dequantise(d, code)) - dim.Mean) / dim.Std())
		}
		e.level, e.norm = append(e.level, level), append(e.norm, norm)
	}
	return e
}

// observe reads the sensors: codes[d] is the code of obs[d].
func (e *encoder) observe(codes []int16, obs []float64) {
	for d, x := range obs {
		codes[d] = int16(e.model.Quantise(d, x))
	}
}

// load puts one sample's codes into lane s of the block.
func (e *encoder) load(b *block, s int, codes []int16) {
	for d, c := range codes {
		b.levels[d][s] = e.level[d][e.zero+int(c)]
	}
}

// normalise writes the observation behind the codes in normalised units.
func (e *encoder) normalise(z []float32, codes []int16) {
	for d, c := range codes {
		z[d] = e.norm[d][e.zero+int(c)]
	}
}
