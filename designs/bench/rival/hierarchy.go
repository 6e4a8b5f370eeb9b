package rival

import (
	"fmt"
	"regexp"
	"strings"
)

// statement is a line of FIRRTL that begins a module or instantiates one.
var statement = regexp.MustCompile("(?m)^\\s*(?:(?:public )?(module) `?([\\w$]+)`?|(inst) `?([\\w$]+)`? of `?([\\w$]+)`?)")

// instances is the modules of instances, by module and name of the instance.
type instances map[[2]string]string

// instancesOf reads the hierarchy of a FIRRTL file.
func instancesOf(text string) instances {
	all, module := instances{}, ""
	for _, m := range statement.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			module = m[2]
		} else {
			all[[2]string{module, m[4]}] = m[5]
		}
	}
	return all
}

// memory follows a path of instances from a module, and returns the module and name of the memory at
// its end.
func (all instances) memory(module, path string) (owner, name string, err error) {
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		below, ok := all[[2]string{module, step}]
		if !ok {
			return "", "", fmt.Errorf("memory %s: module %s has no instance %s", path, module, step)
		}
		module = below
	}
	return module, steps[len(steps)-1], nil
}
