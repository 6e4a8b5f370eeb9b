package dwctool

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/dwc/checkpoint"
)

// Convert is the verb that makes a model file of a trained checkpoint.
var Convert = cli.Command{
	Name: "convert", Usage: "CHECKPOINT -o model.json [-bits B] [-sensor-bits W] [-sensor-max a,b,… or -sensor-scale q] [-classes K] …, or -list [CHECKPOINT]",
	Doc:      "makes a model file of a checkpoint (.pt or .safetensors) of a weightless network: layouts controller, dwn, difflogic",
	Examples: []string{"convert -list net.pt", "convert net.pt -o model.json -sensor-max 1,1,8 -sensor-bits 12"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("convert", out)
		to := f.String("o", "", "model `file` to write")
		var o checkpoint.Options
		f.StringVar(&o.Name, "name", "", "name of the model; else that of the file")
		listing := f.Bool("list", false, "list the layouts that are recognised, or tell that of CHECKPOINT and its tensors")
		f.StringVar(&o.Layout, "layout", "", "layout to read, where several fit: controller, dwn or difflogic")
		f.IntVar(&o.Bits, "bits", 0, "B, thresholds per observation dimension where none are stored; 1 for inputs that are bits")
		f.IntVar(&o.Classes, "classes", 0, "groups of the heads counts and argmax, where the checkpoint does not tell")
		f.IntVar(&o.Inputs, "inputs", 0, "observation dimensions, or input bits with -bits 1, where the checkpoint does not tell")
		f.StringVar(&o.ThresholdsFile, "thresholds", "", "`file` of thresholds in physical units: .pt, .safetensors, JSON rows or CSV, a row a dimension")
		f.IntVar(&o.SensorBits, "sensor-bits", 0, "W, bits of a sensor code")
		f.IntVar(&o.DACBits, "dac-bits", 12, "bits of an action word")
		f.StringVar(&o.StatsFile, "stats", "", "`file` of observation statistics, JSON or CSV, where the checkpoint has none")
		f.StringVar(&o.Head, "head", "", "sac, ddpg, ppo, counts or argmax")
		f.Func("sensor-max", "largest |x| of each dimension, or one for all, comma-separated", numbers(&o.SensorMax))
		f.Func("sensor-scale", "physical units per sensor code of each dimension, or one for all, instead of -sensor-max", numbers(&o.SensorScale))
		f.Func("action-scale", "scale of each action, or one for all", numbers(&o.ActionScale))
		f.Func("action-bias", "bias of each action, or one for all", numbers(&o.ActionBias))

		pos, err := f.Positional(args, "[CHECKPOINT]")
		switch {
		case err != nil:
			return err
		case *listing:
			return listLayouts(pos, o, out.Out)
		case len(pos) == 0:
			return cli.Usagef("CHECKPOINT is missing")
		case *to == "":
			return cli.Usagef("-o is missing: where should the model go?")
		}

		in := []cli.Path{{Name: "CHECKPOINT", Path: pos[0]}, {Name: "-thresholds", Path: o.ThresholdsFile}, {Name: "-stats", Path: o.StatsFile}}
		if err := cli.Apart(in, []cli.Path{{Name: "-o", Path: *to}}); err != nil {
			return err
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}

		// The checkpoint stays open until its tensors have been read.
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

// listLayouts prints the known layouts, or the layout of a checkpoint.
func listLayouts(files []string, o checkpoint.Options, w io.Writer) error {
	if len(files) == 0 {
		for _, l := range checkpoint.Layouts {
			fmt.Fprintf(w, "%s\n  holds: %s\n  give:  %s\n", l.Name, l.Holds, l.Needs)
		}
		return nil
	}

	// A checkpoint's tensors are shown even if no layout fits: they say why.
	ck, err := checkpoint.Open(files[0])
	if err != nil {
		return err
	}
	defer ck.Close()
	for _, t := range ck.Tensors {
		fmt.Fprintf(w, "  %-40s %s %v\n", t.Name, t.DType, t.Shape)
	}

	name, err := checkpoint.Recognise(ck, o)
	if err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	fmt.Fprintf(w, "%s: layout %s\n", files[0], name)
	return nil
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
