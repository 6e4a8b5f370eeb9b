// Package browser tests the page of etch view in a real browser, Debian's chromium, by chromedp: it
// clicks, types and compares positions as a user sees them. It is a module of its own, so that etch
// itself does not depend on chromedp. Its tests keep screenshots of what they saw: go test -artifacts.
package browser
