package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"

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

// answer makes a handler of a function: JSON of its result, or {"error": …} with status 400, or 500
// if the function panicked.
func (v *View) answer(f func(query) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		if err := r.ParseForm(); err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}

		result, code, err := v.held(f, query{r.Form})
		if err != nil {
			refuse(w, code, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(result)
	})
}

// Do carries out a command of the page, such as set or run, without a request. The arguments are the
// fields of its form. Error: that of the answer.
func (v *View) Do(command string, arguments url.Values) error {
	f, ok := v.commands[command]
	if !ok {
		return fmt.Errorf("view: there is no command %s", command)
	}
	_, _, err := v.held(f, query{arguments})
	return err
}

// held calls a function while it holds the run, and gives the status of its error.
func (v *View) held(f answerer, q query) (result any, code int, err error) {
	// One request at a time: the run stands at one cycle, and each request moves it.
	v.mu.Lock()
	defer v.mu.Unlock()

	// A panic is a mistake of this program. It must not take the lock, and with it all later
	// requests, along: the page shows its text, the terminal the place.
	defer func() {
		if p := recover(); p != nil {
			log.Printf("etch view: %v\n%s", p, debug.Stack())
			result, code, err = nil, http.StatusInternalServerError, fmt.Errorf("etch view has failed: %v", p)
		}
	}()

	// A design that does not build answers every request with its error.
	if v.broken != nil {
		return nil, http.StatusBadRequest, v.broken
	}
	if err := v.choose(q); err != nil {
		return nil, http.StatusBadRequest, err
	}
	result, err = f(q)
	return result, http.StatusBadRequest, err
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
		return nil, errors.New("a recorded run has its inputs: fork it to set others")
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
		err = fmt.Errorf("cycle %d: the recorded run ends at cycle %d: fork it to go on", to, last)
	} else {
		err = v.run.Go(to)
	}
	return v.span(), err
}
