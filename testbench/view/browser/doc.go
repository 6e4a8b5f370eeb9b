// Package browser tests the page of etch view in a real browser, Debian's chromium, by chromedp: it
// clicks, types and compares positions as a user sees them. It is a module of its own, so that etch
// itself does not depend on chromedp. Its tests keep screenshots of the page: go test -artifacts.
//
// Benchmarks measure the page (go test -run - -bench . -benchtime 2x):
//
//	BenchmarkOpen       rv32i in a new browser: milliseconds to the first paint, and until all panels are drawn
//	BenchmarkSchematic  the same of a design with 35 boxes
//	BenchmarkScroll     waves of 50 signals of a million cycles: frames a second, and processor time for one
//
// Two cores that 40 other processes shared took 0.6 s to the first paint of rv32i (2.0 s to all panels),
// 1.0 to 1.4 s to that of the 35 boxes (2.0 to 4.0 s), and 39 to 46 ms of processor time for a frame, in
// which chromium draws without a graphics card. On such a machine that gave 4 to 8 frames a second; an
// idle one has not been measured.
package browser
