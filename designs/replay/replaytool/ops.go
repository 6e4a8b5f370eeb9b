package replaytool

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/replay"
	"etch/designs/replay/model"
)

// columns are the header of a file of operations.
var columns = []string{"op", "index", "value"}

// verbs are the operations of a file.
var verbs = []string{"insert", "update", "sample", "stratified", "find", "clear"}

// script is a file of operations as the tree is given them: a line of samples is as
// many operations as it asks for.
type script struct {
	replay.Tree
	codes     bool // values are integers of LSBs
	errors    bool // values are |δ|
	exponents model.Exponents
	model     *model.Tree // has done all operations so far: it knows generations

	ops  []model.Operation
	want []model.Response
	set  []uint64 // the priority that a write sets
	line []int
}

// most is the number of operations that a file may ask for.
const most = 1 << 24

// read reads a file of operations. Errors name file, line and column.
func (s *script) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := cli.CSV(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	in.ReuseRecord = true

	// The header, then operations line by line.
	header, err := in.Read()
	if err != nil || strings.Join(header, ",") != strings.Join(columns, ",") {
		return fmt.Errorf("%s: line 1: the header is not %s", path, strings.Join(columns, ","))
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, cli.RecordError(err, row, columns))
		}
		line, _ := in.FieldPos(0)
		if err := s.add(row, line); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, line, err)
		}
	}
	if len(s.ops) == 0 {
		return fmt.Errorf("%s: no operations", path)
	}
	return nil
}

// add parses a row of operation, index and value, and performs it on the model. Errors name the
// column.
func (s *script) add(row []string, line int) error {
	// Fields, and the operation that they name.
	verb, index, value := strings.TrimSpace(row[0]), strings.TrimSpace(row[1]), strings.TrimSpace(row[2])
	if index != "" && verb != "update" {
		return fmt.Errorf("index: %s takes none", verb)
	}
	var op model.Operation
	var err error
	count := 1

	switch verb {
	case "insert":
		if op.Kind = model.InsertMax; value != "" {
			op.Kind = model.Insert
			op.Priority, err = s.priority(value)
		}
	case "update":
		op.Kind = model.Update
		if op.Index, err = strconv.Atoi(index); err != nil || op.Index < 0 || op.Index >= s.Capacity {
			return fmt.Errorf("index: %q is no slot; want 0 to %d", index, s.Capacity-1)
		}
		op.Priority, err = s.priority(value)
		op.Generation = s.model.Generation(op.Index)
	case "sample", "stratified":
		op.Kind = model.Sample
		if count, err = s.draws(value, verb == "stratified"); err == nil && verb == "stratified" {
			op.Strata = bits.Len(uint(count - 1))
		}
	case "find":
		op.Kind = model.Find
		op.Target, err = s.number(value, 1<<s.SumBits()-1, math.Floor)
	case "clear":
		if op.Kind = model.Clear; value != "" {
			return errors.New("value: clear takes none")
		}
	default:
		return fmt.Errorf("op: no operation %q%s", verb, cli.Suggestion(verb, verbs))
	}

	if err != nil {
		return fmt.Errorf("value: %w", err)
	}
	if len(s.ops)+count > most {
		return fmt.Errorf("more than %d operations", most)
	}

	// One draw from each stratum, in order.
	for i := range count {
		if op.Strata > 0 {
			op.Stratum = i
		}
		s.do(op, line)
	}
	return nil
}

// draws is a number of draws. With strata, of which each has one draw, it is a power of two.
func (s *script) draws(value string, stratified bool) (int, error) {
	count, err := strconv.Atoi(value)
	switch {
	case err != nil || count < 1 || count > most:
		return 0, fmt.Errorf("%q is no number of draws; want 1 to %d", value, most)
	case stratified && count&(count-1) != 0:
		return 0, fmt.Errorf("%d strata; want a power of two", count)
	case stratified && count > s.Strata:
		return 0, fmt.Errorf("%d strata; this tree has at most %d (-p strata=…)", count, s.Strata)
	}
	return count, nil
}

// do appends an operation, and the model's result as the expected one.
func (s *script) do(op model.Operation, line int) {
	// The priority of an insert at the largest is known to the model alone.
	set := op.Priority
	if op.Kind == model.InsertMax {
		set = s.model.Max()
	}
	s.ops, s.want = append(s.ops, op), append(s.want, s.model.Apply(op))
	s.set, s.line = append(s.set, set), append(s.line, line)
}

// priority reads a priority: a real number, an integer of LSBs, or an error that
// becomes one.
func (s *script) priority(text string) (uint64, error) {
	if s.errors {
		x, err := strconv.ParseFloat(text, 64)
		if limit := float64(uint64(1) << (32 - model.ErrorFraction)); err != nil || !(x >= 0 && x < limit) {
			return 0, fmt.Errorf("%q is no |δ|; want 0 to %v", text, limit)
		}
		return s.exponents.Priority(s.Params, uint32(min(math.Round(x*(1<<model.ErrorFraction)), math.MaxUint32))), nil
	}
	return s.number(text, 1<<s.Leaf-1, math.Round)
}

// number reads a number of LSBs up to limit.
func (s *script) number(text string, limit uint64, whole func(float64) float64) (uint64, error) {
	if s.codes {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n > limit {
			return 0, fmt.Errorf("%q is no code; want 0 to %d", text, limit)
		}
		return n, nil
	}

	x, err := strconv.ParseFloat(text, 64)
	unit := float64(uint64(1) << s.Fraction)
	if err != nil || !(x >= 0 && whole(x*unit) <= float64(limit)) {
		return 0, fmt.Errorf("%q is not a number that fits; want 0 to %v", text, float64(limit)/unit)
	}
	return uint64(whole(x * unit)), nil
}

// results writes a line for each operation: line,op,index,generation,priority,sum,
// weight,note. Weights of the draws of one line are (least/p)^β with the least
// priority among them.
func (s *script) results(got []model.Response) string {
	var b strings.Builder
	b.WriteString("line,op,index,generation,priority,sum,weight,note\n")
	show := func(code uint64) string {
		if s.codes {
			return strconv.FormatUint(code, 10)
		}
		return strconv.FormatFloat(float64(code)/float64(uint64(1)<<s.Fraction), 'g', -1, 64)
	}

	// The samples of one line are a batch, whose weights are relative to its least priority.
	for i := 0; i < len(got); {
		end, least := i, uint64(math.MaxUint64)
		for ; end < len(got) && s.line[end] == s.line[i]; end++ {
			if r := got[end]; s.ops[end].Kind == model.Sample && !r.Empty {
				least = min(least, r.Priority)
			}
		}
		for ; i < end; i++ {
			s.result(&b, i, got[i], least, show)
		}
	}
	return b.String()
}

// result writes the line of one operation.
func (s *script) result(b *strings.Builder, i int, r model.Response, least uint64, show func(uint64) string) {
	op := s.ops[i]
	index, generation, priority, weight, note := strconv.Itoa(r.Index), strconv.Itoa(int(r.Generation)), "", "", ""

	// A field without a meaning stays empty: the generation of a dropped update, the slot of a draw
	// from nothing.
	switch op.Kind {
	case model.Insert, model.InsertMax:
		priority = show(s.set[i])
	case model.Update:
		priority = show(s.set[i])
		// It is never stale: add has given it the slot's own generation.
		if r.Unfilled {
			generation, priority, note = "", "", "dropped: unfilled"
		}
	case model.Sample, model.Find:
		switch {
		case r.Empty:
			index, generation, note = "", "", "empty"
		case r.OutOfRange:
			index, generation, note = "", "", "out of range"
		default:
			priority = show(r.Priority)
			if op.Kind == model.Sample {
				weight = strconv.FormatFloat(float64(s.exponents.Weight(least, r.Priority))/(1<<model.WeightFraction), 'g', -1, 64)
			}
		}
	case model.Clear:
		index, generation = "", ""
	}

	// A file has one verb for both inserts.
	name := op.Kind.String()
	if op.Kind == model.InsertMax {
		name = "insert"
	}
	fmt.Fprintf(b, "%d,%s,%s,%s,%s,%s,%s,%s\n", s.line[i], name, index, generation, priority, show(r.Sum), weight, note)
}
