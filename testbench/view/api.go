package view

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/input"
	"etch/sim"
)

// Bounds of one request.
const (
	mostWaveSignals = 100
	mostWaveCycles  = 10_000
	mostWords       = 1024
	mostSource      = 16 << 20 // bytes of a source file
)

// query are the arguments of a request.
type query struct{ url.Values }

// number is an argument that is a number, or another value without it.
func (q query) number(name string, without uint64) (uint64, error) {
	text := q.Get(name)
	if text == "" {
		return without, nil
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%s=%q is not a number of 0 or more", name, input.Message(text))
	}
	return n, nil
}

// answer makes a handler of a function: JSON of its result, or {"error": …} with status 400. It
// holds the run meanwhile.
func (v *View) answer(f func(query) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		if err := r.ParseForm(); err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}

		// One request at a time: the run stands at one cycle, and each request moves it. A design that
		// does not build answers every request with its error.
		v.mu.Lock()
		var result any
		err := v.broken
		if err == nil {
			result, err = f(query{r.Form})
		}
		v.mu.Unlock()
		if err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(result)
	})
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, code int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
}

// at goes to the cycle of a request.
func (v *View) at(q query) error {
	cycle, err := q.number("cycle", v.run.Cycle())
	if err != nil {
		return err
	}
	if first, last := v.run.Cycles(); cycle < first || cycle > last {
		return fmt.Errorf("cycle %d: the run has cycles %d to %d", cycle, first, last)
	}
	return v.run.Go(cycle)
}

// instance is the scope of a request; the top without one.
func (v *View) instance(q query) (sim.Scope, error) {
	c, ok := v.scopes[q.Get("scope")]
	if !ok {
		return c, fmt.Errorf("there is no instance %q", input.Message(q.Get("scope")))
	}
	return c, nil
}

// signal finds a signal by its full name; the error suggests the nearest ones.
func (v *View) signal(name string) (sim.Signal, error) {
	return v.run.Sim().Signal(name)
}

// span is the extent of the run, in each answer that may change it.
type span struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
	Cycle uint64 `json:"cycle"`
}

func (v *View) span() span {
	first, last := v.run.Cycles()
	return span{first, last, v.run.Cycle()}
}

// scopeInfo is an instance in the hierarchy.
type scopeInfo struct {
	Name     string       `json:"name"`
	Path     string       `json:"path"`
	Module   string       `json:"module"`
	Signals  []signalInfo `json:"signals"`
	Mems     []memInfo    `json:"mems,omitempty"`
	Children []scopeInfo  `json:"children,omitempty"`
}

// signalInfo is a signal in the hierarchy.
type signalInfo struct {
	Name  string `json:"name"`
	Full  string `json:"full"`
	Width int    `json:"width"`
	Kind  string `json:"kind"` // input, output, register, wire; check: a register that only assertions need
	Type  string `json:"type"`
	Path  string `json:"bundle,omitempty"` // of a part of a bundle: the bundle's name
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
}

// memInfo is a memory in the hierarchy.
type memInfo struct {
	Name  string `json:"name"`
	Full  string `json:"full"`
	Depth int    `json:"depth"`
	Width int    `json:"width"`
}

// design answers with the hierarchy and the extent of the run.
func (v *View) design(query) (any, error) {
	_, alive := v.run.(*live)
	return struct {
		Name    string    `json:"name"`
		Live    bool      `json:"live"`
		Watched bool      `json:"watched"`
		Span    span      `json:"span"`
		Top     scopeInfo `json:"top"`
	}{v.run.Sim().Design().Top.Name, alive, v.watched, v.span(), scopeOf(v.run.Sim().Root())}, nil
}

// scopeOf describes an instance with all below it.
func scopeOf(c sim.Scope) scopeInfo {
	info := scopeInfo{Name: cmp.Or(c.Name(), c.Module().Name), Path: c.Path(), Module: c.Module().Name, Signals: []signalInfo{}}

	// Registers that only assertions need are marked, so that the page can hide them.
	checks := ir.ForStatements(c.Module(), c.Module().Stmts)
	for _, sig := range signalsOf(c) {
		at, kind := sig.At(), kindOf(c, sig)
		if _, id := sig.Node(); kind == "register" && int(id) < len(checks) && checks[id] {
			kind = "check"
		}
		info.Signals = append(info.Signals, signalInfo{sig.Base(), sig.Name(), sig.Width(), kind, sig.Type().String(), bundleOf(c, sig), at.File, at.Line})
	}
	for _, m := range c.Mems() {
		info.Mems = append(info.Mems, memInfo{m.Name()[strings.LastIndex(m.Name(), ".")+1:], m.Name(), m.Depth(), m.Width()})
	}
	for _, child := range c.Children() {
		info.Children = append(info.Children, scopeOf(child))
	}
	return info
}

// signalsOf lists the signals of an instance, each name once.
func signalsOf(c sim.Scope) []sim.Signal {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(c.Signals()), func(sig sim.Signal) bool {
		again := seen[sig.Base()]
		seen[sig.Base()] = true
		return again
	})
}

// bundleOf is the outermost bundle or vector of the user's that a signal is a part of, "" if it is none.
func bundleOf(c sim.Scope, sig sim.Signal) string {
	m := c.Module()
	path := ""
	if i := m.PortIndex(sig.Base()); i >= 0 {
		path = m.Ports[i].Path
	} else if _, id := sig.Node(); id != ir.None {
		path = m.PathOf(id)
	}
	return outermost(path)
}

// kindOf says what a signal is in its module.
func kindOf(c sim.Scope, sig sim.Signal) string {
	m := c.Module()
	if i := m.PortIndex(sig.Base()); i >= 0 {
		return m.Ports[i].Dir.String()
	}
	if sig.IsState() {
		return "register"
	}
	return "wire"
}

// values answers with the values of an instance's signals at a cycle, by base name.
func (v *View) values(q query) (any, error) {
	c, err := v.instance(q)
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}
	list := map[string]string{}
	for _, sig := range signalsOf(c) {
		list[sig.Base()] = v.text(sig)
	}
	return list, nil
}

// text is a signal's value at the present cycle.
func (v *View) text(sig sim.Signal) string {
	return valueText(sig.Type(), v.run.Sim().GetBits(sig))
}

// wave is a signal's values over a range.
type wave struct {
	Name    string   `json:"name"`
	Width   int      `json:"width"`
	Changes []change `json:"changes"` // the first at the begin of the range
	Now     string   `json:"now"`     // the value at the cycle of the request, if it names one
}

// change is a new value behind so many edges.
type change struct {
	Cycle uint64 `json:"c"`
	Value string `json:"v"`
}

// waves answers with the values of signals (comma-separated full names) from a cycle to another,
// both included.
func (v *View) waves(q query) (any, error) {
	first, last := v.run.Cycles()
	from, err := q.number("from", first)
	if err != nil {
		return nil, err
	}
	to, err := q.number("to", last)
	if err != nil {
		return nil, err
	}
	switch {
	case from < first || to > last || from > to:
		return nil, fmt.Errorf("cycles %d to %d: the run has cycles %d to %d", from, to, first, last)
	case to-from >= mostWaveCycles:
		return nil, fmt.Errorf("cycles %d to %d: at most %d are read at a time", from, to, mostWaveCycles)
	}

	list := []wave{}
	var sigs []sim.Signal
	for name := range strings.SplitSeq(q.Get("signals"), ",") {
		if name == "" {
			continue
		}
		sig, err := v.signal(name)
		if err != nil {
			return nil, err
		}
		if sigs = append(sigs, sig); len(sigs) > mostWaveSignals {
			return nil, fmt.Errorf("more than %d signals", mostWaveSignals)
		}
		list = append(list, wave{Name: name, Width: sig.Width(), Changes: []change{}})
	}

	// The value at the cursor, which may be elsewhere.
	if q.Get("cycle") != "" {
		if err := v.at(q); err != nil {
			return nil, err
		}
		for i, sig := range sigs {
			list[i].Now = v.text(sig)
		}
	}

	// A text is made only where a value differs from the one before.
	before := make([]bits.Value, len(sigs))
	for cycle := from; cycle <= to; cycle++ {
		if err := v.run.Go(cycle); err != nil {
			return nil, err
		}
		for i, sig := range sigs {
			if now := v.run.Sim().GetBits(sig); cycle == from || !now.Equal(before[i]) {
				before[i] = now
				list[i].Changes = append(list[i].Changes, change{cycle, valueText(sig.Type(), now)})
			}
		}
	}
	return struct {
		From  uint64 `json:"from"`
		To    uint64 `json:"to"`
		Waves []wave `json:"waves"`
	}{from, to, list}, nil
}

// memory answers with words of a memory at a cycle.
func (v *View) memory(q query) (any, error) {
	mem, err := v.run.Sim().Mem(q.Get("name"))
	if err != nil {
		return nil, err
	}
	from, err := q.number("from", 0)
	if err != nil {
		return nil, err
	}
	if from >= uint64(mem.Depth()) {
		return nil, fmt.Errorf("address %d: %s has %d words", from, mem.Name(), mem.Depth())
	}

	// A page of words, at most mostWords: memories may have millions.
	if err := v.at(q); err != nil {
		return nil, err
	}

	words := []string{}
	for a := int(from); a < min(mem.Depth(), int(from)+mostWords); a++ {
		words = append(words, valueText(mem.Type(), mem.Read(a)))
	}

	return struct {
		Name  string   `json:"name"`
		Depth int      `json:"depth"`
		From  uint64   `json:"from"`
		Words []string `json:"words"`
	}{mem.Name(), mem.Depth(), from, words}, nil
}

// set gives an input, or a register, of a live run a value at a cycle.
func (v *View) set(q query) (any, error) {
	l, ok := v.run.(*live)
	if !ok {
		return nil, errors.New("a recorded run has its inputs; open the design to set them")
	}
	sig, err := v.signal(q.Get("name"))
	if err != nil {
		return nil, err
	}

	// Clocks are driven by the steps themselves, and a wire would be computed anew.
	if (!sig.IsInput() || sig.IsClock()) && !sig.IsState() {
		return nil, fmt.Errorf("%s is neither an input of the top nor a register", sig.Name())
	}
	value, err := parseValue(sig, q.Get("value"))
	if err != nil {
		return nil, err
	}

	// Everything is checked by now; setting drops what came after this cycle.
	if err := v.at(q); err != nil {
		return nil, err
	}
	if err := l.Set(l.Cycle(), sig, value); err != nil {
		return nil, err
	}
	return v.span(), nil
}

// parseValue reads a value as the page shows it: an enumeration's name or a number that fits.
func parseValue(sig sim.Signal, text string) (bits.Value, error) {
	if e := sig.Type().Enum; e != nil {
		if i := slices.Index(e.Names, text); i >= 0 {
			return bits.FromWords(sig.Width(), []uint64{e.Codes[i]}), nil
		}
	}
	n, ok := new(big.Int).SetString(text, 0)
	if !ok || len(text) > 1<<16 {
		return bits.Value{}, fmt.Errorf("%q is not a number, as in 12, -3, 0xff or 0b101", input.Message(text))
	}

	// A number fits if either reading of the bits, unsigned or signed, gives it back: 255 and -1
	// are both 8 ones.
	value := bits.FromBig(sig.Width(), n)
	if value.Big().Cmp(n) != 0 && (n.Sign() >= 0 || value.SignedBig().Cmp(n) != 0) {
		return value, fmt.Errorf("%s does not fit the %d bits of %s", text, sig.Width(), sig.Name())
	}
	return value, nil
}

// extend runs a live run up to a cycle.
func (v *View) extend(q query) (any, error) {
	to, err := q.number("to", v.run.Cycle()+1)
	if err != nil {
		return nil, err
	}
	if l, ok := v.run.(*live); ok {
		err = l.Extend(to)
	} else if _, last := v.run.Cycles(); to > last {
		err = fmt.Errorf("cycle %d: the recorded run ends at cycle %d", to, last)
	} else {
		err = v.run.Go(to)
	}
	return v.span(), err
}

// sourceFiles are the files in which modules and named nodes of a design have positions.
func sourceFiles(d *ir.Design) map[string]bool {
	files := map[string]bool{}
	for _, m := range d.Modules {
		if m.Src == nil {
			continue
		}
		files[m.Src.At(m.Pos).File] = true

		// Nodes may come from other files than their module, as from a function of a library.
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if named(m, id) {
				files[m.Src.At(m.Node(id).Pos).File] = true
			}
		}
	}
	delete(files, "")
	return files
}

// note is a signal of an instance at the line that declares it, with its value.
type note struct {
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Full  string `json:"full"`
	Value string `json:"value"`
}

// source answers with a file of an instance, the file of most of its signals if the request names
// none, and with the values of the instance's signals by line.
func (v *View) source(q query) (any, error) {
	c, err := v.instance(q)
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}

	// The files of the instance, by number of signals, ports last: their line is often another's.
	count := map[string]int{}
	for _, sig := range signalsOf(c) {
		if f := sig.At().File; f != "" {
			count[f] += 1
			if kind := kindOf(c, sig); kind == "register" || kind == "wire" {
				count[f] += 2
			}
		}
	}
	files := make([]string, 0, len(count))
	for f := range count {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })

	// The request's own file, which must be one of the design: no other file of the disk is read.
	file := q.Get("file")
	if file == "" && len(files) > 0 {
		file = files[0]
	}
	result := struct {
		Files []string `json:"files"`
		File  string   `json:"file"`
		Text  string   `json:"text"`
		Note  string   `json:"note,omitempty"`
		Notes []note   `json:"notes"`
	}{Files: files, File: file, Notes: []note{}}
	if file == "" {
		result.Note = "the design has no source lines"
		return result, nil
	}

	if !v.files[file] {
		return nil, fmt.Errorf("the design has no line in %q", input.Message(file))
	}

	// The values of this cycle stand beside the lines that declare their signals.
	for _, sig := range signalsOf(c) {
		if at := sig.At(); at.File == file && !sig.IsClock() {
			result.Notes = append(result.Notes, note{at.Line, sig.Base(), sig.Name(), v.text(sig)})
		}
	}

	text, err := readSource(file)
	if err != nil {
		result.Note = "the source is not here: " + err.Error()
	}
	result.Text = text
	return result, nil
}

// readSource reads a source file, by its name, or, where positions are portable (the path of a
// package), below a folder above the present one.
func readSource(file string) (string, error) {
	b, err := input.ReadFile(file, mostSource)
	if err == nil || filepath.IsAbs(file) {
		return string(b), err
	}

	// A portable path begins with the module's name, and the folder with go.mod stands for it:
	// look upwards for that.
	dir, err2 := os.Getwd()
	if err2 != nil {
		return "", err
	}
	_, below, _ := strings.Cut(filepath.ToSlash(file), "/")
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && below != "" {
			b, err := input.ReadFile(filepath.Join(dir, below), mostSource)
			return string(b), err
		}
		if dir == filepath.Dir(dir) {
			return "", err
		}
	}
}
