package lowprectool

import (
	"fmt"
	"math"
)

// sample is the mean of independent runs with its standard error.
type sample struct {
	n           int
	mean, error float64
}

func sampleOf(list []float64) (s sample) {
	s.n = len(list)
	for _, x := range list {
		s.mean += x / float64(s.n)
	}

	// Of one run there is no deviation: n - 1 degrees of freedom.
	squares := 0.0
	for _, x := range list {
		squares += (x - s.mean) * (x - s.mean)
	}
	if s.n > 1 {
		s.error = math.Sqrt(squares / float64(s.n-1) / float64(s.n))
	}
	return s
}

// String is the mean and, from two runs on, its error.
func (s sample) String() string {
	if s.n < 2 {
		return fmt.Sprintf("%.0f", s.mean)
	}
	return fmt.Sprintf("%.0f ± %.0f", s.mean, s.error)
}

// interval holds the true mean in 95 of 100 samples, were the runs distributed normally.
func (s sample) interval() string {
	if s.n < 2 {
		return "-"
	}
	half := student(float64(s.n-1)) * s.error
	return fmt.Sprintf("%.0f to %.0f", s.mean-half, s.mean+half)
}

// less is the difference of two means with its error and its interval of 95 %, by Welch's
// degrees of freedom.
func (s sample) less(t sample) string {
	a, b := s.error*s.error, t.error*t.error
	diff, err := s.mean-t.mean, math.Sqrt(a+b)

	// The Welch–Satterthwaite equation, for deviations that may differ.
	half := student((a+b)*(a+b)/(a*a/float64(s.n-1)+b*b/float64(t.n-1))) * err
	return fmt.Sprintf("%.0f ± %.0f (95 %%: %.0f to %.0f)", diff, err, diff-half, diff+half)
}

// student is the number of standard errors that 95 of 100 samples are within: a quantile of
// Student's distribution.
func student(freedom float64) float64 {
	// The density, whose tail is too heavy for an integral to infinity: it is integrated from 0,
	// by Simpson's rule.
	a, _ := math.Lgamma((freedom + 1) / 2)
	b, _ := math.Lgamma(freedom / 2)
	density := func(x float64) float64 {
		return math.Exp(a-b) / math.Sqrt(freedom*math.Pi) * math.Pow(1+x*x/freedom, -(freedom+1)/2)
	}
	within := func(x float64) float64 {
		const parts = 400
		h, sum := x/parts, density(0)+density(x)
		for i := 1; i < parts; i++ {
			sum += float64(2+i%2*2) * density(float64(i)*h)
		}
		return 2 * sum * h / 3
	}

	// 12.7 with one degree of freedom, the most.
	low, high := 1.0, 13.0
	for range 40 {
		if x := (low + high) / 2; within(x) < .95 {
			low = x
		} else {
			high = x
		}
	}
	return low
}
