package dwctool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"etch/backends/verilog"
	"etch/designs/dwc"
	"etch/hw"
	"etch/ir"
	"etch/testbench/tools"
)

// countParts synthesises encoder, core and whole of a classifier.
func countParts(to *Parts, net *dwc.Net, form dwc.Form) error {
	encoder, _, err := hw.Build(dwc.Encoder{Net: net.Network(), Form: form})
	if err != nil {
		return err
	}
	core, _, err := hw.Build(dwc.Core{Net: net, Pipeline: areaPipeline, Form: form})
	if err != nil {
		return err
	}
	whole, _, err := hw.Build(dwc.Classifier{Net: net, Pipeline: areaPipeline, Form: form})
	if err != nil {
		return err
	}

	// The same options for the three: the whole is less than the sum where synthesis shares.
	for _, part := range []struct {
		d  *ir.Design
		to *int
	}{{encoder, &to.Encoder}, {core, &to.Core}, {whole, &to.Whole}} {
		if *part.to, err = countDesign(part.d); err != nil {
			return err
		}
	}
	return nil
}

func countDesign(d *ir.Design) (int, error) {
	text, err := verilog.Text(d, verilog.Options{NoPositions: true})
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "etch-area-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)

	if err := os.WriteFile(filepath.Join(dir, "in.v"), text, 0o666); err != nil {
		return 0, err
	}
	return tables(dir, verilog.TopName(d), "in.v")
}

// countPeer synthesises the Verilog that dwn2rtl wrote to a folder.
func countPeer(to *Parts, dir string) error {
	// The files that dwn2rtl writes.
	core := []string{"dwn_core.v", "lut_node.v", "popcount.v", "argmax.v", "pipe_reg.v"}
	for _, part := range []struct {
		top   string
		files []string
		to    *int
	}{
		{"thermometer_encoder", []string{"thermometer_encoder.v"}, &to.Encoder},
		{"dwn_core", core, &to.Core},
		{"dwn_top", append([]string{"dwn_top.v", "thermometer_encoder.v"}, core...), &to.Whole},
	} {
		var err error
		if *part.to, err = tables(dir, part.top, part.files...); err != nil {
			return err
		}
	}
	return nil
}

var countLine = regexp.MustCompile(`(?m)^(\d+) objects\.$`)

// tables counts the tables of six inputs after the synthesis that dwn2rtl
// estimate does.
func tables(dir, top string, files ...string) (int, error) {
	yosys, err := tools.Find("yosys")
	if err != nil {
		return 0, err
	}

	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()

	// The commands of dwn2rtl estimate. After flatten, tables merge across modules.
	script := fmt.Sprintf("read_verilog %s; hierarchy -top %s; flatten; synth -top %s; abc -lut 6; opt_clean; select -count t:$lut", strings.Join(files, " "), top, top)
	cmd := yosys.Command(ctx, "-p", script)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("yosys %s: %v: %s", top, err, text[max(0, len(text)-400):])
	}
	found := countLine.FindAllSubmatch(text, -1)
	if len(found) == 0 {
		return 0, fmt.Errorf("yosys %s: no count", top)
	}
	return strconv.Atoi(string(found[len(found)-1][1]))
}
