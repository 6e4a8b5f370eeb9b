package tool

import (
	"fmt"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/dwc/checkpoint"
)

// Convert is the verb that makes a model file of a trained checkpoint.
var Convert = cli.Command{
	Name: "convert", Usage: "CHECKPOINT -o model.json -bits B -sensor-bits W -sensor-max a,b,… [-action-scale …] [-stats FILE] …",
	Doc: "makes a model file of a checkpoint (.pt or .safetensors) that the authors' scripts wrote",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("convert", out)
		to := f.String("o", "", "model `file` to write")
		var o checkpoint.Options
		f.StringVar(&o.Name, "name", "", "name of the model; else that of the file")
		f.IntVar(&o.Bits, "bits", 0, "B, thresholds per observation dimension")
		f.IntVar(&o.SensorBits, "sensor-bits", 0, "W, bits of a sensor code")
		f.IntVar(&o.DACBits, "dac-bits", 12, "bits of an action word")
		f.StringVar(&o.StatsFile, "stats", "", "`file` of observation statistics, JSON or CSV, where the checkpoint has none")
		f.StringVar(&o.Head, "head", "", "sac, ddpg, ppo, counts or argmax")
		f.Func("sensor-max", "largest |x| of each dimension, comma-separated", numbers(&o.SensorMax))
		f.Func("action-scale", "scale of each action, or one for all", numbers(&o.ActionScale))
		f.Func("action-bias", "bias of each action, or one for all", numbers(&o.ActionBias))
		pos, err := f.Positional(args, "CHECKPOINT")
		switch {
		case err != nil:
			return err
		case *to == "":
			return cli.Usagef("-o is missing: where should the model go?")
		}
		ck, err := checkpoint.Open(pos[0])
		if err != nil {
			return err
		}
		defer ck.Close()
		m, err := checkpoint.Convert(ck, o)
		if err != nil {
			return err
		}
		if err := m.WriteFile(*to); err != nil {
			return err
		}
		fmt.Fprintf(out.Err, "%s: %d observations, %d layers, head %s\n", *to, len(m.Obs), len(m.Layers), m.Head.Kind)
		return nil
	},
}

// numbers parses a comma-separated list.
func numbers(to *[]float64) func(string) error {
	return func(s string) error {
		*to = nil
		for _, part := range strings.Split(s, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil {
				return fmt.Errorf("%q is not a number", part)
			}
			*to = append(*to, v)
		}
		return nil
	}
}
