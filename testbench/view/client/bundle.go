// Command client makes the script of package view from its TypeScript by esbuild. It is a module
// of its own, so that etch itself does not depend on esbuild. Run it in its folder after a change
// of src; its test compares the script that is checked in byte for byte:
//
//	go run .
package main

import (
	"fmt"
	"os"

	"github.com/evanw/esbuild/pkg/api"
)

// script is the file that package view embeds.
const script = "../assets/view.js"

func main() {
	js, err := bundle()
	if err == nil {
		err = os.WriteFile(script, js, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

// bundle returns the script. The error has esbuild's first message.
func bundle() ([]byte, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{"src/view.ts"}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2022,
		MinifySyntax: true, MinifyWhitespace: true, Charset: api.CharsetUTF8,
		Banner: map[string]string{"js": "// Code generated from testbench/view/client/src by esbuild. DO NOT EDIT."},
	})
	if len(r.Errors) > 0 {
		m := r.Errors[0]
		return nil, fmt.Errorf("%s:%d: %s", m.Location.File, m.Location.Line, m.Text)
	}
	return r.OutputFiles[0].Contents, nil
}
