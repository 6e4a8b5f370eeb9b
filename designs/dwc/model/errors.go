package model

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// FieldError is the error of Read and Validate: one field that is wrong.
type FieldError struct {
	File   string // "" where there is none
	Line   int    // in the file, 1-based; 0 where not known
	Field  string // JSON path, such as layers[1].pins[3][2]
	Reason string
}

// Error returns "FILE:LINE: model FIELD: REASON" with the parts that are known.
func (e *FieldError) Error() string {
	where := ""
	switch {
	case e.File != "" && e.Line > 0:
		where = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	case e.File != "":
		where = e.File + ": "
	case e.Line > 0:
		where = fmt.Sprintf("line %d: ", e.Line)
	}

	if e.Field == "" {
		return where + "model: " + e.Reason
	}
	return where + "model field " + e.Field + ": " + e.Reason
}

func fieldErrorf(field, format string, args ...any) error {
	return &FieldError{Field: field, Reason: fmt.Sprintf(format, args...)}
}

func checkRange(field string, v, low, high int) error {
	if v < low || v > high {
		return fieldErrorf(field, "%d is out of range %d..%d", v, low, high)
	}
	return nil
}

func checkFloat(field string, v, low, high float64) error {
	if math.IsNaN(v) || v < low || v > high {
		return fieldErrorf(field, "%v is not a number in %v..%v", v, low, high)
	}
	return nil
}

func checkText(field, s string) error {
	if len(s) > MaxText {
		return fieldErrorf(field, "text of %d bytes; at most %d", len(s), MaxText)
	}
	if !utf8.ValidString(s) {
		return fieldErrorf(field, "text is not valid UTF-8")
	}
	return nil
}
