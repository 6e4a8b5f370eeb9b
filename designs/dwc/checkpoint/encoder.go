package checkpoint

import (
	"fmt"

	"etch/designs/dwc/model"
)

// bitSensor is the width of a sensor code that is a bit, 0 or 1.
const bitSensor = 2

// encoder sets the observations, the thresholds and the sensor of a model. There
// are three kinds: stored thresholds of the observation itself, bits that need
// no encoder, and the Gaussian thresholds of a normalised observation, of which
// the checkpoint has statistics.
func (s *source) encoder(m *model.Model, ck *Checkpoint, opt *Options) error {
	rows, err := findThresholds(ck, opt)
	if err != nil {
		return err
	}

	given, err := findStats(ck, *opt)
	if err != nil {
		return err
	}

	// Stored thresholds win; bits without an encoder are next; Gaussian thresholds need statistics.
	switch {
	case rows != nil && opt.Bits != 0 && opt.Bits != len(rows[0]):
		return fmt.Errorf("-bits %d: the stored thresholds are %d a dimension", opt.Bits, len(rows[0]))
	case rows == nil && (opt.Bits == 1 || s.bits && opt.Bits == 0):
		return s.plainBits(m, opt)
	case rows != nil:
		m.Thresholds = model.Thresholds{Kind: model.Physical, Rows: rows}
		return s.stored(m, given, opt)
	}
	return s.gaussian(m, given, opt)
}

// stored is an encoder of stored thresholds: physical units, no normalisation.
func (s *source) stored(m *model.Model, given *stats, opt *Options) error {
	var f flags
	f.need(opt.SensorBits == 0, "-sensor-bits", "width of a sensor code")
	f.need(len(opt.SensorMax)+len(opt.SensorScale) == 0, "-sensor-scale", "physical units per sensor code, one number or one a dimension; or -sensor-max, the largest |x|")
	rows := m.Thresholds.Rows
	d := len(rows)

	// One row of thresholds may serve all dimensions, whose number then comes from elsewhere.
	switch {
	case d > 1:
	case opt.Inputs != 0:
		d = opt.Inputs
	case s.inputs != 0:
		d = s.inputs / len(rows[0])
	default:
		f.need(true, "-inputs", "number of dimensions, which share the stored thresholds")
	}
	if err := f.err(); err != nil {
		return err
	}
	if err := s.checkInputs("the thresholds", d, len(rows[0])); err != nil {
		return err
	}
	return s.plainObs(m, d, given, opt)
}

// plainBits is an encoder of bits: a sensor code is 0 or 1, and above 0 is 1.
func (s *source) plainBits(m *model.Model, opt *Options) error {
	d := s.inputs
	switch {
	case d == 0 && opt.Inputs == 0:
		return flags{"-inputs (number of bits that the first layer reads)"}.err()
	case d == 0:
		d = opt.Inputs
	case opt.Inputs != 0 && opt.Inputs != d:
		return fmt.Errorf("-inputs %d: the first layer reads %d bits", opt.Inputs, d)
	}

	// The sensor's word has room for 0 and 1 only, unless flags say otherwise.
	if opt.SensorBits == 0 {
		opt.SensorBits = bitSensor
	}
	if len(opt.SensorScale) == 0 && len(opt.SensorMax) == 0 {
		opt.SensorScale = []float64{1}
	}
	m.Thresholds = model.Thresholds{Kind: model.Physical, Rows: [][]float64{{0}}}
	return s.plainObs(m, d, nil, opt)
}

func (s *source) checkInputs(what string, d, b int) error {
	if s.inputs != 0 && s.inputs != d*b {
		return fmt.Errorf("%s give %d dimensions × %d = %d bits, but the first layer reads %d", what, d, b, d*b, s.inputs)
	}
	return nil
}

// plainObs makes d dimensions without normalisation.
func (s *source) plainObs(m *model.Model, d int, given *stats, opt *Options) error {
	if d < 1 || d > model.MaxObs {
		return fmt.Errorf("%d dimensions; must be 1..%d", d, model.MaxObs)
	}

	// Mean 0 and variance 1 leave an observation as it is.
	plain := &stats{mean: make([]float64, d), variance: make([]float64, d)}
	for i := range d {
		plain.variance[i] = 1
	}
	if given != nil && len(given.names) == d {
		plain.names = given.names
	}
	var err error
	m.Obs, err = dims(plain, opt)
	return err
}

// gaussian is the encoder of the controllers' authors.
func (s *source) gaussian(m *model.Model, given *stats, opt *Options) error {
	var f flags
	hint := "thresholds per dimension, odd; or 1 for inputs that are bits"
	if given != nil && s.inputs%len(given.mean) == 0 && model.CheckB(s.inputs/len(given.mean)) == nil {
		hint = fmt.Sprintf("thresholds per dimension, odd; layer 1 reads %d bits for %d dimensions, which would be %d", s.inputs, len(given.mean), s.inputs/len(given.mean))
	}
	f.need(opt.Bits == 0, "-bits", "%s", hint)
	f.need(given == nil, "-stats", "a file with the observations' mean and var, or -thresholds, a file of thresholds: none are stored")
	f.need(opt.SensorBits == 0, "-sensor-bits", "width of a sensor code")
	f.need(len(opt.SensorMax)+len(opt.SensorScale) == 0, "-sensor-max", "largest |x| of every dimension, comma-separated")
	f.need(s.head == "", "-head", "sac, ddpg, ppo, counts or argmax; the layout %q does not tell", s.layout)
	f.need(len(opt.ActionScale) == 0 && s.head.ROM(), "-action-scale", "half the range of the action, one number or %d", s.groups)

	// All missing flags are named in one error.
	if err := f.err(); err != nil {
		return err
	}
	if err := model.CheckB(opt.Bits); err != nil {
		return fmt.Errorf("-bits: %v", err)
	}

	// The first layer must read just these bits.
	d := len(given.mean)
	if err := s.checkInputs(fmt.Sprintf("-bits %d and the statistics", opt.Bits), d, opt.Bits); err != nil {
		return err
	}
	if d*opt.Bits > model.MaxEncoderBits {
		return fmt.Errorf("-bits %d: %d dimensions × %d are more than %d bits", opt.Bits, d, opt.Bits, model.MaxEncoderBits)
	}
	var err error
	if m.Thresholds, err = model.NewThresholds(model.Imported, opt.Bits); err != nil {
		return err
	}
	m.Obs, err = dims(given, opt)
	return err
}

func dims(s *stats, opt *Options) ([]model.Dim, error) {
	limit, err := spread("-sensor-max", opt.SensorMax, len(s.mean))
	if err != nil {
		return nil, err
	}
	scale, err := spread("-sensor-scale", opt.SensorScale, len(s.mean))
	if err != nil {
		return nil, err
	}

	// Without a scale, the largest value is the largest code.
	out := make([]model.Dim, len(s.mean))
	for d := range out {
		out[d] = model.Dim{Name: fmt.Sprintf("obs_%d", d), Mean: s.mean[d], Var: s.variance[d], Max: limit[d], Scale: scale[d]}
		if len(opt.SensorScale) == 0 {
			out[d].Scale = model.SensorScale(limit[d], opt.SensorBits)
		}
		if s.names != nil {
			out[d].Name = s.names[d]
		}
	}
	return out, nil
}
