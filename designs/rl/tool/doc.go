// Package tool gives the etch command its learning system: the design with its report.
package tool
