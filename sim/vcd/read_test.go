package vcd_test

import (
	"fmt"
	"strconv"
	"strings"
)

// dump is a VCD file as a small reader of our own sees it.
type dump struct {
	scale string
	vars  map[string]*variable // by full name
	order []string
	times []uint64
}

type variable struct {
	kind, id string
	width    int
	changes  []change
}

type change struct {
	time  uint64
	value string
}

// at is the value at the end of a time, "" before the first.
func (v *variable) at(time uint64) string {
	value := ""
	for _, c := range v.changes {
		if c.time <= time {
			value = c.value
		}
	}
	return value
}

func parse(text string) (*dump, error) {
	d := &dump{vars: map[string]*variable{}}
	byID := map[string][]*variable{}
	var scopes []string
	words := strings.Fields(text)
	next := func() string { w := words[0]; words = words[1:]; return w }
	end := func() (args []string) {
		for w := next(); w != "$end"; w = next() {
			args = append(args, w)
		}
		return args
	}
	var now uint64
	for len(words) > 0 {
		switch w := next(); w {
		case "$timescale":
			d.scale = strings.Join(end(), "")
		case "$date", "$version", "$comment", "$enddefinitions":
			end()
		case "$scope":
			scopes = append(scopes, end()[1])
		case "$upscope":
			end()
			scopes = scopes[:len(scopes)-1]
		case "$var":
			a := end()
			width, err := strconv.Atoi(a[1])
			if err != nil {
				return nil, err
			}
			if len(a) == 5 && a[4] != fmt.Sprintf("[%d:0]", width-1) {
				return nil, fmt.Errorf("range %q of %d bits", a[4], width)
			}
			name := strings.Join(append(scopes[1:len(scopes):len(scopes)], a[3]), ".")
			if d.vars[name] != nil {
				return nil, fmt.Errorf("second variable %s", name)
			}
			v := &variable{kind: a[0], id: a[2], width: width}
			d.vars[name], d.order = v, append(d.order, name)
			byID[v.id] = append(byID[v.id], v)
		case "$dumpvars", "$end":
		default:
			value, id := w[:1], w[1:]
			switch w[0] {
			case '#':
				t, err := strconv.ParseUint(w[1:], 10, 64)
				if err != nil || len(d.times) > 0 && t <= now {
					return nil, fmt.Errorf("time %s after %d", w, now)
				}
				now, d.times = t, append(d.times, t)
				continue
			case 'b', 's':
				value, id = w[1:], next()
			case '0', '1':
			default:
				return nil, fmt.Errorf("no value: %q", w)
			}
			if byID[id] == nil {
				return nil, fmt.Errorf("unknown identifier %q", id)
			}
			for _, v := range byID[id] {
				v.changes = append(v.changes, change{now, value})
			}
		}
	}
	if len(scopes) > 0 {
		return nil, fmt.Errorf("open scopes %v", scopes)
	}
	return d, nil
}
