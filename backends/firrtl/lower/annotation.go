package lower

import (
	"encoding/json"
	"fmt"
	"strings"

	"etch/ir/pads"
)

// Annotations are JSON in the circuit or in a file beside it. Each class is implemented,
// known to be harmless, or an error. Ignoring an unknown class silently could simulate a
// different circuit.

// annotation has the fields that any implemented class uses.
type annotation struct {
	Class     string `json:"class"`
	Target    string `json:"target"`
	Filename  string `json:"filename"`
	FileName  string `json:"fileName"`
	Format    any    `json:"hexOrBinary"`
	Pin       string `json:"pin"`
	ResetType string `json:"resetType"`
	Transform string `json:"transform"`

	Description string          `json:"description"` // an attribute of Verilog
	Name        string          `json:"name"`        // of a file
	Text        string          `json:"text"`        // of that file
	Value       json.RawMessage `json:"value"`
	Values      json.RawMessage `json:"values"`

	file string
	line int32
}

// annotations are the annotations of a circuit that change it, by their kind.
type annotations struct {
	contents []annotation // of memories
	sources  []annotation
	sinks    []annotation
	resets   []annotation
	tested   []annotation // modules marked as under test
	exempt   []annotation // modules and registers excluded from the full reset

	attributes []annotation

	wired map[string]bool // "module>name" of every sink
	left  map[string]int  // ignored classes and the number of annotations of each
	order []string        // those classes in order of appearance
}

// annotate reads the annotations of the circuit and of the options.
func (l *lowering) annotate(o Options) {
	l.annos.wired = map[string]bool{}
	l.annos.left = map[string]int{}
	if l.c.Annotations != "" {
		l.readAnnotations(l.c.File, l.c.AnnoLine, l.c.Annotations, o)
	}
	if o.Annotations != "" {
		l.readAnnotations(orElse(o.AnnotationsName, "annotations"), 1, o.Annotations, o)
	}
	if len(l.annos.order) == 0 {
		return
	}

	// One note for all: generators write thousands of them.
	all, parts := 0, []string(nil)
	for _, class := range l.annos.order {
		all += l.annos.left[class]
		parts = append(parts, fmt.Sprintf("%s (%d)", class, l.annos.left[class]))
	}
	if len(parts) > 8 {
		parts = append(parts[:8], "…")
	}
	l.note(l.c.AnnoLine, "%d annotations that do not change the circuit are left out: %s", all, strings.Join(parts, ", "))
}

// readAnnotations reads a JSON list of annotations, which may be nested in another list.
func (l *lowering) readAnnotations(file string, line int32, text string, o Options) {
	bad := func(at int64, err error) {
		l.failIn(file, line+int32(strings.Count(text[:at], "\n")), "annotations: %v", err)
	}
	d := json.NewDecoder(strings.NewReader(text))

	// Skip the opening brackets. The values are then decoded one by one, so that each gets
	// the line it ends on.
	for _, c := range strings.TrimLeft(text, " \t\r\n") {
		if c != '[' {
			break
		}
		if _, err := d.Token(); err != nil {
			bad(d.InputOffset(), err)
			return
		}
	}

	for d.More() {
		var a annotation
		at := d.InputOffset()
		if err := d.Decode(&a); err != nil {
			bad(min(at, int64(len(text))), err)
			return
		}
		a.file, a.line = file, line+int32(strings.Count(text[:d.InputOffset()], "\n"))
		l.sortAnnotation(a, o)
	}
	if _, err := d.Token(); err != nil {
		bad(min(d.InputOffset(), int64(len(text))), err)
	}
}

// failAnno reports an error with the annotation's class and target.
func (l *lowering) failAnno(a *annotation, format string, args ...any) {
	on := ""
	if a.Target != "" {
		on = " on " + clip(a.Target)
	}
	l.failIn(a.file, a.line, "annotation %s%s: %s", clip(a.Class), on, fmt.Sprintf(format, args...))
}

// clip shortens text from a file to 200 bytes for a message.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}

// sortAnnotation files an annotation under its kind, counts a harmless one, and reports an
// unknown one.
func (l *lowering) sortAnnotation(a annotation, o Options) {
	if l.file(a, o) {
		return
	}

	// The rest is harmless, ignored by the user, or an error.
	if !harmless(a.Class) && !ignored(o, a.Class) {
		why := "etch does not know whether it changes the circuit"
		if does := changing[a.Class]; does != "" {
			why = "it " + does + ", which etch does not do"
		}
		l.failAnno(&a, "%s; take it out of the file, or name its class in ReadOptions.Ignore, if the circuit is right without it", why)
		return
	}

	x := &l.annos
	if x.left[a.Class]++; x.left[a.Class] == 1 {
		x.order = append(x.order, a.Class)
	}
}

// file files an annotation that etch acts on, and reports whether that is all there is to do.
func (l *lowering) file(a annotation, o Options) bool {
	x := &l.annos
	switch a.Class {
	case "firrtl.annotations.LoadMemoryAnnotation", "firrtl.annotations.MemoryFileInlineAnnotation",
		"firrtl.annotations.MemoryArrayInitAnnotation", "firrtl.annotations.MemoryScalarInitAnnotation":
		x.contents = append(x.contents, a)
		return true

	case "firrtl.transforms.BlackBoxInlineAnno":
		if _, cell := pads.CellOf(strings.TrimSuffix(a.Name, ".v")); cell {
			return true // a net is made of it
		}
		if o.Body != nil && a.Text != "" {
			o.Body(a.Name, a.Text)
			return true
		}

	case "firrtl.AttributeAnnotation":
		x.attributes = append(x.attributes, a)
		return true

	case "firrtl.passes.wiring.SourceAnnotation":
		x.sources = append(x.sources, a)
		return true

	case "firrtl.passes.wiring.SinkAnnotation":
		x.sinks = append(x.sinks, a)
		if t, ok := parseTarget(a.Target); ok {
			x.wired[t.module+">"+t.ref] = true
		}
		return true

	case "circt.FullResetAnnotation", "sifive.enterprise.firrtl.FullAsyncResetAnnotation":
		x.resets = append(x.resets, a)
		return true

	case "circt.ExcludeFromFullResetAnnotation", "sifive.enterprise.firrtl.IgnoreFullAsyncResetAnnotation":
		x.exempt = append(x.exempt, a)
		return true
	// Only the full reset needs the module under test.
	case "sifive.enterprise.firrtl.MarkDUTAnnotation":
		x.tested = append(x.tested, a)
	// The transforms of the reference compiler itself do not change behaviour.
	case "firrtl.stage.RunFirrtlTransformAnnotation":
		if !strings.HasPrefix(a.Transform, "firrtl.") {
			l.failAnno(&a, "it runs transform %s over the circuit, which etch cannot; take it out if the transform changes nothing", clip(a.Transform))
			return true
		}
	}
	return false
}

// ignored reports whether the user asked to leave out a class.
func ignored(o Options, class string) bool {
	for _, c := range o.Ignore {
		if c == class {
			return true
		}
	}
	return false
}
