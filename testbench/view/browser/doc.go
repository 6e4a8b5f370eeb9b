// Package browser tests the page of etch view in a real browser, Debian's chromium, by chromedp: it
// clicks, types and compares positions as a user sees them. It is a module of its own, so that etch
// itself does not depend on chromedp. Its tests keep screenshots of the page: go test -artifacts.
//
// Benchmarks measure the page (go test -run - -bench . -benchtime 2x):
//
//	BenchmarkOpen       rv32i in a new browser: milliseconds to the first paint, and until all panels are drawn
//	BenchmarkSchematic  the same of a design with 60 boxes, the most that are drawn
//	BenchmarkScroll     waves of 50 signals of a million cycles: frames a second, and processor time for one
//
// Two cores at a load of 4 to 11, without a graphics card, took 0.16 to 0.26 s to the first paint of
// rv32i (0.30 to 0.54 s to all panels), 0.20 to 0.42 s to that of the 60 boxes (0.34 to 0.59 s), and 15 to 20
// ms of processor time for a frame, 29 to 44 frames a second. Rows whose viewBox moves, in place of a
// transform, took 39 to 50 ms for a frame.
package browser
