package verilog_test

import (
	"bytes"
	"os"
	"testing"

	"etch/backends/verilog"
	"etch/designs/catalog"
	"etch/ir/text"
)

func TestScratch(t *testing.T) {
	app := catalog.App()
	for _, d := range app.Designs {
		net, err := d.Build(nil)
		if err != nil {
			t.Error(d.Name, err)
			continue
		}
		b, err := verilog.Text(net, verilog.Options{})
		if err != nil {
			t.Error(err)
		}
		os.WriteFile("/tmp/vw/out/"+d.Name+".v", b, 0o644)
		var n bytes.Buffer
		text.Print(&n, net)
		os.WriteFile("/tmp/vw/out/"+d.Name+".etch", n.Bytes(), 0o644)
	}
}
