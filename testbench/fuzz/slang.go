package fuzz

import "context"

// runSlang has slang, the strictest free reader of Verilog, read a batch and elaborate it.
func runSlang(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error) {
	e, err := w.emit(ctx, cases)
	if err != nil {
		return nil, err
	}
	defer e.close()

	// Each turn lacks the files that slang refused in the last one.
	for len(e.files) > 0 {
		o, err := e.run("circt-verilog", "", append([]string{"--lint-only"}, e.files...)...)
		if err != nil {
			return nil, err
		}
		if !o.failed && len(o.messages) == 0 {
			break
		}
		if !e.refuse(o) {
			return halves(cases, o, func(cases []*Case) ([]Verdict, error) { return runSlang(ctx, w, cases) })
		}
	}
	return e.verdicts, nil
}
