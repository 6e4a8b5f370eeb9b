package checkpoint

import (
	"fmt"
	"path/filepath"

	"etch/designs/dwc/model"
)

// Convert makes a model of a checkpoint in the authors' layout:
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
	l, err := findLayout(ck)
	if err != nil {
		return nil, err
	}
	logAlpha, beta, err := l.head()
	if err != nil {
		return nil, err
	}
	s, err := findStats(ck, opt)
	if err != nil {
		return nil, err
	}
	kind, err := l.complete(&opt, s, len(beta))
	if err != nil {
		return nil, err
	}
	m := &model.Model{
		Format: model.FormatVersion, Name: opt.Name,
		SensorBits: opt.SensorBits, DACBits: opt.DACBits,
		Provenance: map[string]string{
			"source": filepath.Base(ck.Path), "container": ck.Container, "layout": l.prefix + "net",
		},
	}
	if m.Thresholds, err = model.NewThresholds(model.Imported, opt.Bits); err != nil {
		return nil, err
	}
	m.Obs = dims(s, opt)
	inputs := m.EncoderBits()
	for i := 1; i <= l.layers; i++ {
		layer, err := l.layer(i, inputs)
		if err != nil {
			return nil, err
		}
		m.Layers = append(m.Layers, layer)
		inputs = layer.Width()
	}
	if m.Head, err = head(kind, logAlpha, beta, opt); err != nil {
		return nil, err
	}
	return m, m.Validate()
}

func findStats(ck *Checkpoint, opt Options) (*stats, error) {
	if opt.StatsFile != "" {
		return readStats(opt.StatsFile)
	}
	return checkpointStats(ck)
}

// complete checks that the options fill what the checkpoint leaves open, sets
// those that have a default, and returns the kind of head.
func (l *layout) complete(opt *Options, s *stats, actions int) (model.HeadKind, error) {
	kind := model.HeadKind(opt.Head)
	if kind == "" {
		kind = map[string]model.HeadKind{"fc_mean.": model.SAC, "actor_mean.": model.PPO}[l.prefix]
	}
	if opt.Name == "" {
		opt.Name = filepath.Base(l.ck.Path)
	}
	if opt.DACBits == 0 {
		opt.DACBits = defaultDACBits
	}
	var f flags
	hint := "thresholds per dimension, odd"
	if s != nil && l.inputs()%len(s.mean) == 0 && model.CheckB(l.inputs()/len(s.mean)) == nil {
		hint += fmt.Sprintf("; layer 1 reads %d bits for %d dimensions, which would be %d", l.inputs(), len(s.mean), l.inputs()/len(s.mean))
	}
	f.need(opt.Bits == 0, "-bits", "%s", hint)
	f.need(s == nil, "-stats", "a file with the observations' mean and var")
	f.need(opt.SensorBits == 0, "-sensor-bits", "width of a sensor code")
	f.need(len(opt.SensorMax) == 0, "-sensor-max", "largest |x| of every dimension, comma-separated")
	f.need(kind == "", "-head", "sac, ddpg, ppo, counts or argmax; the prefix %q does not tell", l.prefix)
	f.need(len(opt.ActionScale) == 0 && (kind == "" || kind.ROM()), "-action-scale", "half the range of the action, one number or %d", actions)
	if err := f.err(); err != nil {
		return "", err
	}
	d := len(s.mean)
	if in := l.inputs(); in != 0 && in != d*opt.Bits {
		return "", fmt.Errorf("-bits %d: %d dimensions × %d = %d bits, but layer 1 (%s) reads %d",
			opt.Bits, d, opt.Bits, d*opt.Bits, l.name(1, "mapping.weights"), in)
	}
	if d*opt.Bits > model.MaxEncoderBits {
		return "", fmt.Errorf("-bits %d: %d dimensions × %d are more than %d bits", opt.Bits, d, opt.Bits, model.MaxEncoderBits)
	}
	if len(opt.SensorMax) != d {
		return "", fmt.Errorf("-sensor-max: %d numbers for %d dimensions", len(opt.SensorMax), d)
	}
	return kind, nil
}

func dims(s *stats, opt Options) []model.Dim {
	out := make([]model.Dim, len(s.mean))
	for d := range out {
		out[d] = model.Dim{
			Name: fmt.Sprintf("obs_%d", d), Mean: s.mean[d], Var: s.variance[d],
			Max: opt.SensorMax[d], Scale: model.SensorScale(opt.SensorMax[d], opt.SensorBits),
		}
		if s.names != nil {
			out[d].Name = s.names[d]
		}
	}
	return out
}

func head(kind model.HeadKind, logAlpha, beta []float64, opt Options) (model.Head, error) {
	h := model.Head{Kind: kind}
	if !kind.ROM() {
		for i := range beta {
			h.Classes = append(h.Classes, fmt.Sprintf("class_%d", i))
		}
		return h, nil
	}
	scale, err := spread("-action-scale", opt.ActionScale, len(beta))
	if err != nil {
		return h, err
	}
	bias, err := spread("-action-bias", opt.ActionBias, len(beta))
	if err != nil {
		return h, err
	}
	for i := range beta {
		h.Actions = append(h.Actions, model.Action{
			Name: fmt.Sprintf("act_%d", i), LogAlpha: logAlpha[i], Beta: beta[i],
			Scale: scale[i], Bias: bias[i], Low: bias[i] - scale[i], High: bias[i] + scale[i],
		})
	}
	return h, nil
}
