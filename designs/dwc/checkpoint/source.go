package checkpoint

import (
	"fmt"
	"strings"

	"etch/designs/dwc/model"
)

// source is a network found in a checkpoint by one of the layouts.
type source struct {
	layout string // name of the layout, and where the network lies
	head   model.HeadKind
	inputs int // bits that layer 1 reads, 0 where the file does not tell
	groups int // classes or actions, 0 where the file does not tell
	// logAlpha and beta are the affine map of an action head, nil without one.
	logAlpha, beta []float64
	// order lists the last layer's outputs as the sum of groups sees them; nil
	// is as they are.
	order []int
	// bits tells that the network takes bits where nothing says otherwise.
	bits   bool
	layers func(inputs int) ([]model.Layer, error)
}

// Layout is a way in which libraries and scripts lay out a network.
type Layout struct {
	Name string
	// Holds says by which tensors it is recognised, Needs the facts still to be
	// given.
	Holds, Needs string
	// find returns the network. Near tells that some of the layout's tensors are
	// there, so that its error matters.
	find func(ck *Checkpoint, opt *Options) (s *source, near bool, err error)
}

// Layouts are the layouts that Convert tries, in this order.
var Layouts = []Layout{
	{
		Name:  "controller",
		Holds: "P.net.1.luts …, P.net.i.mapping(.weights), P.net.(L+2).log_alpha and .beta; P is fc_mean, actor_mean or another prefix; obs_norm.mean and .var (sac.py, ddpg.py, ppo.py of the controllers' authors)",
		Needs: "-bits, -sensor-bits, -sensor-max, -action-scale; -stats for ppo.py; -classes where there is no log_alpha (heads counts and argmax)",
		find:  findController,
	},
	{
		Name:  "dwn",
		Holds: "P.i.luts and P.i.mapping(.weights) of an nn.Sequential of torch_dwn's LUTLayer, as state dictionary or as whole module; thresholds or thermometer.thresholds",
		Needs: "-classes unless a whole GroupSum or config.num_classes is there; -thresholds FILE unless thresholds are stored, or -bits 1 for inputs that are bits; -sensor-bits with -sensor-scale or -sensor-max; -inputs for a fixed mapping of bits",
		find:  findDWN,
	},
	{
		Name:  "difflogic",
		Holds: "P.i.weights [gates, 16] and P.i.indices of an nn.Sequential of difflogic's LogicLayer, as whole module; or of its state dictionary with indices.j, the layers' connections in order",
		Needs: "-classes unless a whole GroupSum is there; -inputs where in_dim is not; thresholds as for dwn, else the inputs are bits",
		find:  findLogic,
	},
}

// findSource recognises the layout of a checkpoint, or tries the one that
// Options.Layout names.
func findSource(ck *Checkpoint, opt *Options) (*source, error) {
	var near, all []string
	for _, l := range Layouts {
		if opt.Layout != "" && opt.Layout != l.Name {
			continue
		}
		s, isNear, err := l.find(ck, opt)
		if err == nil {
			s.layout = strings.TrimSpace(s.layout)
			return s, nil
		}
		text := l.Name + ": " + err.Error()
		// all is the answer where no layout is near.
		if all = append(all, text); isNear {
			near = append(near, text)
		}
	}

	// Errors of layouts that nearly fit say more than those of all.
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("-layout: unknown layout %q; etch convert -list lists them", opt.Layout)
	case len(near) > 0:
		all = near
	}
	return nil, fmt.Errorf("no layout fits: %s", strings.Join(all, "; "))
}

// Recognise names the layout of a checkpoint and the place of its network, or
// says which part of each layout is missing.
func Recognise(ck *Checkpoint, opt Options) (string, error) {
	s, err := findSource(ck, &opt)
	if err != nil {
		return "", err
	}
	return s.layout, nil
}
