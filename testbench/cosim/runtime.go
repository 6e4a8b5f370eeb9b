package cosim

import (
	"context"
	"path/filepath"
	"slices"
)

// Runtime returns the arguments with which g++ or clang++ compiles Verilator's output, with its
// run-time library, which is built once and kept in the cache. Without a cache it is built in
// dir. Optimisation is off: the models are for short runs.
func Runtime(ctx context.Context, dir string) (args []string, err error) {
	sim := lookup("verilator")
	k, err := sim.kit()
	if err != nil {
		return nil, err
	}

	if k.cache, err = cacheDir(); err != nil {
		k.cache = ""
	}

	include, err := includeFolder(ctx, k.tools[0])
	if err != nil {
		return nil, err
	}
	library, err := k.library(ctx, include, dir)
	if err != nil {
		return nil, err
	}

	// Without the first flag, which is the optimisation of models.
	args = append([]string{"-I.", "-I" + include, "-I" + filepath.Join(include, "vltstd")}, slices.Clone(compilerFlags[1:])...)
	return append(args, "-O0", library), nil
}
