package train

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"etch/designs/dwc/model"
)

// Model exports the controller: the best validated policy, or the current one
// if there was no validation. Equal configurations give equal models once the
// run is done.
func (t *Trainer) Model() (*model.Model, error) {
	if t.best.step > 0 {
		return t.export(t.best)
	}
	return t.export(t.current())
}

func (t *Trainer) export(s snapshot) (*model.Model, error) {
	thresholds, err := model.NewThresholds(model.Own, t.cfg.Bits)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}

	m := &model.Model{
		Format: model.FormatVersion, Name: t.task.name,
		SensorBits: t.cfg.SensorBits, DACBits: t.cfg.DACBits,
		Thresholds: thresholds,
		Head:       model.Head{Kind: t.headKind()},
		Provenance: t.provenance(s),
	}

	// The sensor's scale covers a dimension's range exactly.
	for _, d := range t.task.dims {
		m.Obs = append(m.Obs, model.Dim{
			Name: d.name, Mean: d.mean, Var: float64(d.deviation * d.deviation), Max: d.max,
			Scale: model.SensorScale(d.max, t.cfg.SensorBits),
		})
	}

	// Tables and pins are the snapshot's; the layers' shapes are the same in the whole run.
	for i, l := range t.sac.policy.layers {
		layer := model.Layer{N: l.n, Inputs: l.inputs, Tables: s.truth[i]}
		for j := range l.width {
			pins := make([]int, l.n)
			for k := range pins {
				pins[k] = int(s.pins[i][j*l.n+k])
			}
			layer.Pins = append(layer.Pins, pins)
		}
		m.Layers = append(m.Layers, layer)
	}

	for a := range s.logAlpha {
		action := model.Action{
			Name: t.task.action, LogAlpha: float64(s.logAlpha[a]), Beta: float64(s.beta[a]),
			Scale: t.task.greatest, Low: -t.task.greatest, High: t.task.greatest,
		}
		if t.ppo != nil { // its head's output is the action itself, in physical units
			action.LogAlpha += log(t.task.greatest)
			action.Beta *= t.task.greatest
			action.Scale = 0
		}
		m.Head.Actions = append(m.Head.Actions, action)
	}

	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	return m, nil
}

// headKind is the model's head; those of SAC and DDPG compute alike.
func (t *Trainer) headKind() model.HeadKind {
	switch t.cfg.Algorithm {
	case DDPG:
		return model.DDPG
	case PPO:
		return model.PPO
	}
	return model.SAC
}

// provenance says how to make the same model again: the command with the
// options it has, and the whole configuration.
func (t *Trainer) provenance(s snapshot) map[string]string {
	c := &t.cfg

	// The command, with only the options that differ from the defaults.
	widths := make([]string, len(c.Widths))
	for i, w := range c.Widths {
		widths[i] = strconv.Itoa(w)
	}
	command := fmt.Sprintf("etch train dwc -seed %d -steps %d -widths %s -n %d -bits %d",
		c.Seed, c.Steps, strings.Join(widths, ","), c.N, c.Bits)
	if c.Mapping != Learnable {
		command += " -mapping " + string(c.Mapping)
	}
	if c.Algorithm != "" {
		command += " -algorithm " + string(c.Algorithm)
	}
	if c.Task != "" {
		command += " -task " + string(c.Task)
	}

	config, err := json.Marshal(c)
	if err != nil {
		panic("train: " + err.Error()) // Config holds nothing that cannot be marshalled
	}
	return map[string]string{
		"trainer":     "etch train dwc: " + strings.ToUpper(string(t.headKind())) + ", extended finite differences",
		"environment": t.task.public,
		"command":     command,
		"config":      string(config),
		"seed":        strconv.FormatUint(c.Seed, 10),
		"steps_taken": strconv.Itoa(t.step),
		"policy_from": "step " + strconv.Itoa(s.step),
	}
}
