package checkpoint

import (
	"fmt"
	"path/filepath"

	"etch/designs/dwc/model"
)

// Convert makes a model of a checkpoint in one of the [Layouts]. That of the
// controllers' authors is:
//
//	fc_mean.net.i.luts             [out, 2^n]    layer i = 1..L; entry 1 iff > 0
//	fc_mean.net.i.mapping.weights  [in, out·n]   learnable: pin l of LUT j is the
//	                               argmax of column j·n+l, the lowest on ties
//	fc_mean.net.i.mapping          [out, n] int  fixed, instead of the weights
//	fc_mean.net.(L+2).log_alpha, .beta  [A]
//	obs_norm.mean, .var            [D]
//
// with actor_mean (ppo.py) or any other prefix, or none, in fc_mean's place.
// Thresholds are the authors' float32 ones. Statistics come from obs_norm or
// from Options.StatsFile: JSON {"mean": […], "var": […]} and perhaps "names"
// and "count", or CSV with a header and the columns mean, var and perhaps name.
//
// That of torch_dwn (Bacellar and others) is the same without net. and head, of
// difflogic (Petersen and others) gates of two inputs:
//
//	i.weights                      [out, 16]     the gate is the argmax
//	i.indices                      two times [out] int
//
// Both add up contiguous groups, as many as there are classes, and have the head
// argmax unless told otherwise. If the outputs do not divide by the classes,
// constant 0 is added behind, as torch_dwn's GroupSum does. Stored thresholds
// are compared with the observation itself.
//
// The error is one line. It names the tensor at fault, the flag whose value
// does not fit, or all the flags that are still to be given.
func Convert(ck *Checkpoint, opt Options) (*model.Model, error) {
	m, err := convert(ck, opt)
	switch {
	case err == nil:
		return m, nil
	case ck.Path != "":
		err = fmt.Errorf("%s: %s", ck.Path, oneLine(err))
	}
	return nil, err
}

func convert(ck *Checkpoint, opt Options) (*model.Model, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}

	// The layout tells where the parts are; flags give the missing ones.
	s, err := findSource(ck, &opt)
	if err != nil {
		return nil, err
	}
	if err := s.complete(ck, &opt); err != nil {
		return nil, err
	}
	m := &model.Model{
		Format: model.FormatVersion, Name: opt.Name, DACBits: opt.DACBits,
		Provenance: map[string]string{"source": filepath.Base(ck.Path), "container": ck.Container, "layout": s.layout},
	}
	if err := s.encoder(m, ck, &opt); err != nil {
		return nil, err
	}

	// encoder has set the width if no flag did.
	m.SensorBits = opt.SensorBits
	if s.head == "" {
		return nil, flags{fmt.Sprintf("-head (sac, ddpg, ppo, counts or argmax; the layout %q does not tell)", s.layout)}.err()
	}

	// Layers and head need the width of the encoder.
	if m.Layers, err = s.layers(m.EncoderBits()); err != nil {
		return nil, err
	}
	s.group(&m.Layers[len(m.Layers)-1])
	if m.Head, err = s.makeHead(opt); err != nil {
		return nil, err
	}
	return m, m.Validate()
}

// complete sets the head, the number of groups and the options that have a
// default.
func (s *source) complete(ck *Checkpoint, opt *Options) error {
	// A network without an affine map is taken for a classifier.
	switch {
	case opt.Head != "":
		s.head = model.HeadKind(opt.Head)
	case s.head == "" && s.logAlpha == nil:
		s.head = model.Argmax
	}
	if s.head.ROM() && s.logAlpha == nil {
		return fmt.Errorf("-head %s: the layout %q has no log_alpha and beta, which an action head needs; counts and argmax need none", s.head, s.layout)
	}

	// The number of classes: stored, or by a flag that must agree.
	if t := ck.Tensor("config.num_classes"); t != nil && s.groups == 0 {
		v, err := t.Float64s()
		if err != nil {
			return err
		}
		if len(v) == 1 {
			s.groups = int(v[0])
		}
	}
	switch {
	case opt.Classes != 0 && s.groups != 0 && opt.Classes != s.groups:
		return fmt.Errorf("-classes %d: the checkpoint has %d", opt.Classes, s.groups)
	case opt.Classes != 0:
		s.groups = opt.Classes
	case s.groups == 0:
		return flags{"-classes (groups that the last layer's outputs are summed in)"}.err()
	}
	if s.groups < 1 || s.groups > model.MaxGroups {
		return fmt.Errorf("%d classes; must be 1..%d", s.groups, model.MaxGroups)
	}

	// The name of the file, and the action words of the demonstration.
	if opt.Name == "" {
		opt.Name = filepath.Base(ck.Path)
	}
	if opt.DACBits == 0 {
		opt.DACBits = defaultDACBits
	}
	return nil
}

// group brings the last layer's outputs into the order of the sum and, without an
// affine map, adds outputs of constant 0 until they divide by the groups. An
// action head scales by the size of a group: there the widths must fit.
func (s *source) group(last *model.Layer) {
	if s.order != nil {
		pins, tables := last.Pins, last.Tables
		last.Pins, last.Tables = nil, nil
		for _, j := range s.order {
			last.Pins, last.Tables = append(last.Pins, pins[j]), append(last.Tables, tables[j])
		}
	}

	// With an affine map a constant output would shift the action.
	for s.logAlpha == nil && last.Width()%s.groups != 0 {
		last.Pins, last.Tables = append(last.Pins, make([]int, last.N)), append(last.Tables, 0)
	}
}

func findStats(ck *Checkpoint, opt Options) (*stats, error) {
	if opt.StatsFile != "" {
		return readStats(opt.StatsFile)
	}
	return checkpointStats(ck)
}

func (s *source) makeHead(opt Options) (model.Head, error) {
	h := model.Head{Kind: s.head}
	if !s.head.ROM() {
		for i := range s.groups {
			h.Classes = append(h.Classes, fmt.Sprintf("class_%d", i))
		}
		return h, nil
	}

	// An action is bias ± scale, one of each or one for all.
	if len(opt.ActionScale) == 0 {
		return h, flags{fmt.Sprintf("-action-scale (half the range of the action, one number or %d)", s.groups)}.err()
	}
	scale, err := spread("-action-scale", opt.ActionScale, s.groups)
	if err != nil {
		return h, err
	}
	bias, err := spread("-action-bias", opt.ActionBias, s.groups)
	if err != nil {
		return h, err
	}
	for i := range s.groups {
		h.Actions = append(h.Actions, model.Action{
			Name: fmt.Sprintf("act_%d", i), LogAlpha: s.logAlpha[i], Beta: s.beta[i],
			Scale: scale[i], Bias: bias[i], Low: bias[i] - scale[i], High: bias[i] + scale[i],
		})
	}
	return h, nil
}
