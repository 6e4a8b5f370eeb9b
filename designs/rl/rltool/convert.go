package rltool

import (
	"fmt"
	"strings"

	"etch/designs/cli"
	"etch/designs/rl/policy"
)

// Convert adds policies to a verb that converts checkpoints: from JSON, .safetensors or .pt
// to JSON or .safetensors. Files of other networks, and all other flags, are the verb's.
func Convert(verb cli.Command) cli.Command {
	checkpoints := verb.Run
	verb.Usage += ", or POLICY -o policy.json or policy.safetensors"
	verb.Doc += "; or writes a policy of dqn or ddpg in its other form"
	verb.Examples = append(verb.Examples[:len(verb.Examples):len(verb.Examples)], "convert policy.json -o policy.safetensors")
	verb.Run = func(app *cli.App, args []string, out cli.Output) error {
		from, to, plain := files(args)
		if !plain {
			return checkpoints(app, args, out)
		}

		// A file that is no policy is a checkpoint, unless its form or the one wanted is a policy's
		// alone.
		p, err := policy.ReadFile(from)
		if err != nil {
			if strings.HasSuffix(from, ".json") || strings.HasSuffix(to, ".safetensors") {
				return err
			}
			return checkpoints(app, args, out)
		}
		if err := cli.Writable(to); err != nil {
			return err
		}
		data, err := p.Encode(to)
		if err != nil {
			return err
		}
		if err := write(to, data); err != nil {
			return err
		}
		fmt.Fprintf(out.Err, "%s: a policy of a network %v\n", to, p.Sizes)
		return nil
	}
	return verb
}

// files returns the two names of the arguments FILE -o FILE, in any order; plain is false for other
// arguments.
func files(args []string) (from, to string, plain bool) {
	for i := 0; i < len(args); i++ {
		name, value, is := strings.Cut(args[i], "=")
		switch flag := strings.TrimLeft(name, "-") == "o" && name != "o"; {
		case flag && is:
			to = value
		case flag && i+1 < len(args):
			i++
			to = args[i]
		case strings.HasPrefix(args[i], "-") || from != "":
			return "", "", false
		default:
			from = args[i]
		}
	}
	return from, to, from != "" && to != ""
}
