package lower

import (
	"encoding/json"
	"fmt"
	"strings"

	"etch/ir/pads"
)

// Annotations are JSON in the circuit or in a file beside it. A class is done, is
// on the list of those that leave the circuit as it is (harmless), or is an error:
// to leave one out silently would be to run another circuit.

// annotation is one with the fields that etch knows of any class.
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

// annotations are those of a circuit that change it.
type annotations struct {
	contents []annotation // of memories
	sources  []annotation
	sinks    []annotation
	resets   []annotation
	exempt   []annotation // modules without the full reset

	attributes []annotation

	wired  map[string]bool   // "module>name" of every sink
	left   map[string]int    // classes left out and how often
	order  []string          // their names as they come
	places map[string]string // where a class first is
}

// annotate reads the annotations in the circuit and those of o.
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

// readAnnotations reads a JSON list, which may stand in a list of its own.
func (l *lowering) readAnnotations(file string, line int32, text string, o Options) {
	bad := func(at int64, err error) {
		l.failIn(file, line+int32(strings.Count(text[:at], "\n")), "annotations: %v", err)
	}
	d := json.NewDecoder(strings.NewReader(text))
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

// failAnno reports an annotation, by its class and target.
func (l *lowering) failAnno(a *annotation, format string, args ...any) {
	on := ""
	if a.Target != "" {
		on = " on " + clip(a.Target)
	}
	l.failIn(a.file, a.line, "annotation %s%s: %s", clip(a.Class), on, fmt.Sprintf(format, args...))
}

// clip bounds the text of a file in a message.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}

// sortAnnotation puts an annotation to those of its kind.
func (l *lowering) sortAnnotation(a annotation, o Options) {
	x := &l.annos
	switch a.Class {
	case "firrtl.annotations.LoadMemoryAnnotation", "firrtl.annotations.MemoryFileInlineAnnotation",
		"firrtl.annotations.MemoryArrayInitAnnotation", "firrtl.annotations.MemoryScalarInitAnnotation":
		x.contents = append(x.contents, a)
		return
	case "firrtl.transforms.BlackBoxInlineAnno":
		if _, cell := pads.CellOf(strings.TrimSuffix(a.Name, ".v")); cell {
			return // a net is made of it
		}
		if o.Body != nil && a.Text != "" {
			o.Body(a.Name, a.Text)
			return
		}
	case "firrtl.AttributeAnnotation":
		x.attributes = append(x.attributes, a)
		return
	case "firrtl.passes.wiring.SourceAnnotation":
		x.sources = append(x.sources, a)
		return
	case "firrtl.passes.wiring.SinkAnnotation":
		x.sinks = append(x.sinks, a)
		if t, ok := parseTarget(a.Target); ok {
			x.wired[t.module+">"+t.ref] = true
		}
		return
	case "circt.FullResetAnnotation", "sifive.enterprise.firrtl.FullAsyncResetAnnotation":
		x.resets = append(x.resets, a)
		return
	case "circt.ExcludeFromFullResetAnnotation", "sifive.enterprise.firrtl.IgnoreFullAsyncResetAnnotation":
		x.exempt = append(x.exempt, a)
		return
	case "firrtl.stage.RunFirrtlTransformAnnotation":
		if !strings.HasPrefix(a.Transform, "firrtl.") {
			l.failAnno(&a, "it runs transform %s over the circuit, which etch cannot; take it out if the transform changes nothing", clip(a.Transform))
			return
		}
	}
	if !harmless(a.Class) && !ignored(o, a.Class) {
		why := "etch does not know whether it changes the circuit"
		if does := changing[a.Class]; does != "" {
			why = "it " + does + ", which etch does not do"
		}
		l.failAnno(&a, "%s; take it out of the file, or name its class in ReadOptions.Ignore, if the circuit is right without it", why)
		return
	}
	if x.left[a.Class]++; x.left[a.Class] == 1 {
		x.order = append(x.order, a.Class)
	}
}

func ignored(o Options, class string) bool {
	for _, c := range o.Ignore {
		if c == class {
			return true
		}
	}
	return false
}
