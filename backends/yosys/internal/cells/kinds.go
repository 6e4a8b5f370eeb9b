package cells

import (
	"maps"
	"slices"
	"strings"

	"etch/ir"
)

// kind is a type of cell that is logic.
type kind struct {
	out   []string
	lower func(l *lowering, c *cell)
	// lanes: bit i of Y needs bit i of the other wide ports only, so that the cell
	// can be split. A port of one bit that all lanes need is "S" or "EN".
	lanes bool
	skip  bool // nothing of it is hardware
	stmt  bool // it makes a statement, and is a root of its own
}

var y = []string{"Y"}

// kinds holds every cell of logic. It is filled in init, since lowering a cell looks
// up others.
var kinds map[string]kind

func init() {
	kinds = map[string]kind{
		"$fa":            {out: []string{"X", "Y"}, lower: fullAdder},
		"$lcu":           {out: []string{"CO"}, lower: lookahead},
		"$alu":           {out: []string{"X", "Y", "CO"}, lower: alu},
		"$macc":          {out: y, lower: macc},
		"$macc_v2":       {out: y, lower: macc2},
		"$mux":           {out: y, lower: mux, lanes: true},
		"$_MUX_":         {out: y, lower: mux},
		"$_NMUX_":        {out: y, lower: nmux},
		"$_MUX4_":        {out: y, lower: gateMux},
		"$_MUX8_":        {out: y, lower: gateMux},
		"$_MUX16_":       {out: y, lower: gateMux},
		"$bwmux":         {out: y, lower: bitMux},
		"$pmux":          {out: y, lower: pmux},
		"$bmux":          {out: y, lower: bmux},
		"$demux":         {out: y, lower: demux},
		"$lut":           {out: y, lower: lut},
		"$sop":           {out: y, lower: sop},
		"$concat":        {out: y, lower: concat},
		"$slice":         {out: y, lower: sliceCell},
		"$tribuf":        {out: y, lower: tristate, lanes: true},
		"$_TBUF_":        {out: y, lower: tristate},
		readCell:         {out: []string{"DATA"}, lower: readMemory},
		pullUpCell:       {skip: true},
		pullDownCell:     {skip: true},
		DriveCell:        {skip: true}, // nets.go reads it
		sharedCell:       {out: y, lower: sharedLine},
		"$priority":      {out: y, lower: priority},
		"$_AOI3_":        {out: y, lower: aoi3},
		"$_OAI3_":        {out: y, lower: oai3},
		"$_AOI4_":        {out: y, lower: aoi4},
		"$_OAI4_":        {out: y, lower: oai4},
		"$equiv":         {out: y, lower: func(l *lowering, c *cell) { l.give(c, "Y", l.in(c, "A")) }},
		"$initstate":     {out: y, lower: initState},
		"$assert":        {stmt: true, lower: assertion(ir.Assert)},
		"$assume":        {stmt: true, lower: assertion(ir.Assume)},
		"$cover":         {stmt: true, lower: assertion(ir.Cover)},
		"$check":         {stmt: true, lower: check},
		"$print":         {stmt: true, lower: check},
		"$live":          {skip: true},
		"$fair":          {skip: true},
		"$scopeinfo":     {skip: true},
		"$specify2":      {skip: true},
		"$specify3":      {skip: true},
		"$specrule":      {skip: true},
		"$meminit":       {skip: true}, // memories.go reads these
		"$meminit_v2":    {skip: true},
		"$memwr":         {skip: true},
		"$memwr_v2":      {skip: true},
		"$memrd":         {skip: true},
		"$memrd_v2":      {skip: true},
		"$mem":           {skip: true},
		"$mem_v2":        {skip: true},
		"$connect":       {stmt: true, lower: refused("joins two nets in both directions: drive each from one side")},
		"$input_port":    {stmt: true, lower: refused("is a step of yosys's own: write the netlist before abc9")},
		"$fsm":           {stmt: true, lower: refused("is a state machine that yosys has taken apart: run fsm_map before write_json")},
		"$anyconst":      {out: y, lower: formal},
		"$anyseq":        {out: y, lower: formal},
		"$allconst":      {out: y, lower: formal},
		"$allseq":        {out: y, lower: formal},
		"$set_tag":       {out: y, lower: formal},
		"$get_tag":       {out: y, lower: formal},
		"$overwrite_tag": {lower: formal, stmt: true},
		"$original_tag":  {out: y, lower: formal},
		"$future_ff":     {out: y, lower: formal},
	}

	// Families of cells share their lowering.
	for name, f := range unary {
		kinds[name] = kind{out: y, lanes: f.lanes, lower: func(l *lowering, c *cell) { l.unary(c, f) }}
	}

	for name, f := range binary {
		kinds[name] = kind{out: y, lanes: f.lanes, lower: func(l *lowering, c *cell) { l.binary(c, f) }}
	}

	for _, name := range latchKinds() {
		kinds[name] = kind{out: []string{"Q"}, lower: latch}
	}

	for name, f := range gates {
		kinds[name] = kind{out: y, lower: func(l *lowering, c *cell) {
			l.give(c, "Y", f(l, l.in1(c, "A"), l.in1(c, "B")))
		}}
	}
}

// Kinds returns the kinds of cells that are logic or statements, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Drives reports whether cells of a kind of yosys's own drive the net at a pin.
func Drives(kind, pin string) bool {
	if k, ok := kinds[kind]; ok {
		return slices.Contains(k.out, pin)
	}
	switch pin {
	case "Q":
		_, ok := wordFF[kind]
		return ok
	case "DATA":
		return strings.HasPrefix(kind, "$memrd")
	}
	return false
}

// in returns the node of an input of a cell, 0 if the input is missing.
func (l *lowering) in(c *cell, port string) ir.ID { return l.signal(c.port(port)) }

// in1 is the lowest bit of an input.
func (l *lowering) in1(c *cell, port string) ir.ID { return l.signal([]bit{only(c.port(port))}) }

// wide is the number of bits that a port of a cell is connected to.
func wide(c *cell, port string) int { return len(c.port(port)) }

// give says that a node, cut or extended with zeros, drives an output of a cell.
func (l *lowering) give(c *cell, port string, id ir.ID) {
	if n := wide(c, port); n > 0 {
		l.drive(l.resize(id, n, false), c.port(port))
	}
}

// want fails unless a port has n bits.
func (l *lowering) want(c *cell, port string, n int) bool {
	if wide(c, port) == n {
		return true
	}
	l.fail(c, "cell %s (%s): port %s has %d bits, want %d", c.name, c.kind, port, wide(c, port), n)
	return false
}

// refused makes the error of a cell that is never read.
func refused(why string) func(*lowering, *cell) {
	return func(l *lowering, c *cell) { l.fail(c, "cell %s (%s) %s", c.name, c.kind, why) }
}

func formal(l *lowering, c *cell) {
	l.fail(c, "cell %s (%s) is for formal verification and has no value in simulation", c.name, c.kind)
}
