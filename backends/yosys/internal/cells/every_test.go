package cells

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// everyCell is what is done with each cell of words that yosys 0.23 or 0.70 has
// (techlibs/common/simlib.v): the test that compares it with a model, or why it is
// refused. Those marked new are not in 0.23.
var everyCell = map[string]string{
	"$not": "TestUnaryCells", "$pos": "TestUnaryCells", "$neg": "TestUnaryCells", "$logic_not": "TestUnaryCells",
	"$reduce_and": "TestUnaryCells", "$reduce_or": "TestUnaryCells", "$reduce_xor": "TestUnaryCells", "$reduce_xnor": "TestUnaryCells", "$reduce_bool": "TestUnaryCells",
	"$and": "TestBinaryCells", "$or": "TestBinaryCells", "$xor": "TestBinaryCells", "$xnor": "TestBinaryCells",
	"$shl": "TestBinaryCells", "$shr": "TestBinaryCells", "$sshl": "TestBinaryCells", "$sshr": "TestBinaryCells", "$shift": "TestBinaryCells", "$shiftx": "TestBinaryCells",
	"$lt": "TestBinaryCells", "$le": "TestBinaryCells", "$eq": "TestBinaryCells", "$ne": "TestBinaryCells", "$eqx": "TestBinaryCells", "$nex": "TestBinaryCells", "$ge": "TestBinaryCells", "$gt": "TestBinaryCells",
	"$add": "TestBinaryCells", "$sub": "TestBinaryCells", "$mul": "TestBinaryCells", "$div": "TestBinaryCells", "$mod": "TestBinaryCells", "$divfloor": "TestBinaryCells", "$modfloor": "TestBinaryCells", "$pow": "TestBinaryCells",
	"$logic_and": "TestBinaryCells", "$logic_or": "TestBinaryCells",
	"$fa": "TestChoiceCells", "$lcu": "TestChoiceCells", "$alu": "TestChoiceCells", "$macc": "TestChoiceCells", "$mux": "TestChoiceCells", "$pmux": "TestChoiceCells", "$bmux": "TestChoiceCells",
	"$demux": "TestChoiceCells", "$lut": "TestChoiceCells", "$sop": "TestChoiceCells", "$concat": "TestChoiceCells", "$slice": "TestChoiceCells",
	"$buf": "TestNewCells", "$bweqx": "TestNewCells", "$bwmux": "TestNewCells", "$macc_v2": "TestNewCells", // new
	"$dff": "TestRegisterCells", "$dffe": "TestRegisterCells", "$dffsr": "TestRegisterCells", "$dffsre": "TestRegisterCells", "$adff": "TestRegisterCells", "$adffe": "TestRegisterCells",
	"$aldff": "TestRegisterCells", "$aldffe": "TestRegisterCells", "$sdff": "TestRegisterCells", "$sdffe": "TestRegisterCells", "$sdffce": "TestRegisterCells",
	"$dlatch": "TestLatchCells", "$adlatch": "TestLatchCells", "$dlatchsr": "TestLatchCells", "$sr": "TestLatchCells",
	"$mem_v2": "TestMemoryCells", "$mem": "TestMemoryForms", "$memrd": "TestMemoryForms", "$memwr": "TestMemoryForms", "$meminit": "TestMemoryForms",
	"$memrd_v2": "TestMemoryForms", "$memwr_v2": "TestMemoryForms", "$meminit_v2": "TestMemoryForms",
	"$tribuf": "TestTristate", "$equiv": "TestNewCells", "$initstate": "TestStatements",
	"$assert": "TestStatements", "$assume": "TestStatements", "$cover": "TestStatements", "$check": "TestStatements", "$print": "TestStatements", // the last two new
	"$live": "nothing", "$fair": "nothing", "$specify2": "nothing", "$specify3": "nothing", "$specrule": "nothing", "$scopeinfo": "nothing",
	"$ff": "has no clock", "$anyinit": "has no clock",
	"$anyconst": "formal", "$anyseq": "formal", "$allconst": "formal", "$allseq": "formal",
	"$set_tag": "formal", "$get_tag": "formal", "$overwrite_tag": "formal", "$original_tag": "formal", "$future_ff": "formal", // new
	"$connect": "both directions", "$input_port": "yosys's own", "$fsm": "state machine", // the first two new
}

// TestEveryCell: each is read, or refused by one error that names it, its line and
// why; and the installed yosys has no other.
func TestEveryCell(t *testing.T) {
	tests := map[string]bool{}
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	above, err := filepath.Glob("../../*_test.go") // of package yosys
	require.NoError(t, err)
	files = append(files, above...)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] = true
		}
	}
	for kind, how := range everyCell {
		_, logic := kinds[kind]
		_, state := wordFF[kind]
		require.True(t, logic || state, kind)
		if strings.HasPrefix(how, "Test") {
			require.True(t, tests[how], "%s: %s is no test here", kind, how)
			continue
		}
		_, err := designOf("one.json", oneCell(kind), "")
		if how == "nothing" {
			require.NoError(t, err, kind)
			continue
		}
		require.Error(t, err, kind)
		require.True(t, strings.HasPrefix(err.Error(), "m.v:7: "), "%s: %v", kind, err)
		for _, part := range []string{kind, "c12", how} {
			require.Contains(t, err.Error(), part, kind)
		}
		require.NotContains(t, err.Error(), "\n", kind)
	}
	text, err := os.ReadFile(filepath.Join(library(t), "simlib.v"))
	require.NoError(t, err)
	n := 0
	for _, m := range regexp.MustCompile(`(?m)^module \\(\$[a-z]\w*)`).FindAllStringSubmatch(string(text), -1) {
		n++
		require.Contains(t, everyCell, m[1])
	}
	require.Greater(t, n, 80)
}

// oneCell is the JSON of a module with one cell.
func oneCell(kind string) string {
	q := ""
	if _, ok := wordFF[kind]; ok {
		q = `, "Q": [4]`
	}
	return fmt.Sprintf(`{"modules": {"top": {"attributes": {"top": "1"}, "ports": {
 "clk": {"direction": "input", "bits": [2]}, "a": {"direction": "input", "bits": [3]}, "y": {"direction": "output", "bits": [4]}},
 "cells": {"c12": {"hide_name": 0, "type": %q, "parameters": {}, "attributes": {"src": "m.v:7.1-7.20"},
 "connections": {"D": [3], "A": [3], "EN": [3], "Y": [4]%s}}}, "netnames": {}}}}`, kind, q)
}

// TestKinds: no cell that is read is missing above, but for gates.
func TestKinds(t *testing.T) {
	var more []string
	for kind := range kinds {
		if _, ok := everyCell[kind]; !ok && !strings.HasPrefix(kind, "$_") && !strings.HasPrefix(kind, "$etch") && !strings.HasPrefix(kind, "etch$") {
			more = append(more, kind)
		}
	}
	slices.Sort(more)
	require.Equal(t, []string{"$barrier", "$priority"}, more)
}
