package host_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/host"
	"etch/designs/gae/model"
	"etch/designs/gae/ppo"
	"etch/designs/gae/reference"
)

// rollout draws what some environments went through: episodes of about so many
// steps, half of them truncated; rewards and values around means of their own.
func rollout(r *rand.Rand, envs, steps, episode int, reward, value [2]float64) (all []reference.Trajectory) {
	for range envs {
		t := reference.NewTrajectory(steps)
		next := value[0] + value[1]*r.NormFloat64()
		for i := range steps {
			t.Reward[i] = reward[0] + reward[1]*r.NormFloat64()
			t.Value[i] = next
			next = value[0] + value[1]*r.NormFloat64()
			t.NextValue[i] = next
			if r.IntN(episode) == 0 {
				t.Terminated[i] = r.IntN(2) == 0
				t.Truncated[i] = !t.Terminated[i]
				next = value[0] + value[1]*r.NormFloat64()
			}
		}
		all = append(all, t)
	}
	return all
}

func estimates(rollout []reference.Trajectory) (out []reference.Estimate) {
	for i := range rollout {
		out = append(out, reference.NewEstimate(rollout[i].Len()))
	}
	return out
}

// compare holds one of the results of all environments against what it should be.
func compare(want, got []reference.Estimate, of func(e reference.Estimate) []float64) reference.Error {
	var w, g []float64
	for i := range want {
		w, g = append(w, of(want[i])...), append(g, of(got[i])...)
	}
	return reference.Compare(w, g)
}

func advantage(e reference.Estimate) []float64 { return e.Advantage }
func returns(e reference.Estimate) []float64   { return e.Return }

// Unquantised, the stored results are those of float64 to 80 dB and more, whatever
// the magnitudes; the circuit and its model agree in every bit.
func TestAccuracy(t *testing.T) {
	sys := model.Paper()
	sys.Rows, sys.Depth, sys.CodeBits = 4, 256, 0
	sys = sys.Variant(1)
	for _, c := range []struct {
		name          string
		reward, value [2]float64
		episode       int
	}{
		{"standardised", [2]float64{0, 1}, [2]float64{0, 1}, 100},
		{"pendulum", [2]float64{-6, 3}, [2]float64{-200, 60}, 200},
		{"large", [2]float64{100, 50}, [2]float64{5000, 3000}, 60},
		{"small", [2]float64{0.01, 0.05}, [2]float64{0.2, 0.3}, 50},
		{"every step an end", [2]float64{0, 1}, [2]float64{0, 1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := rollout(rand.New(rand.NewPCG(1, 1)), 6, 200, c.episode, c.reward, c.value)
			want, got := estimates(data), estimates(data)
			for i := range data {
				e, err := reference.StableBaselines.Estimate(&data[i], sys.Gamma, sys.Lambda)
				require.NoError(t, err)
				want[i] = e
			}
			count, err := host.NewEstimator(sys.NewMachine(), sys).Estimate(data, got)
			require.NoError(t, err)
			require.Equal(t, 1200, count.Elements)
			require.Zero(t, count.Clipped)
			require.Zero(t, count.Saturated)
			a, b := compare(want, got, advantage), compare(want, got, returns)
			t.Logf("%.0f dB and at most %.1e off for advantages, %.0f dB and %.1e for returns", a.SNR, a.Max, b.SNR, b.Max)
			require.GreaterOrEqual(t, min(a.SNR, b.SNR), 80.0)
		})
	}
}

// Rollout after rollout, of every variant and with little memory: the accelerator
// behind its host port gives what its model gives.
func TestSimulated(t *testing.T) {
	for variant := 1; variant <= 5; variant++ {
		t.Run(fmt.Sprint(variant), func(t *testing.T) {
			t.Parallel()
			sys := model.Paper()
			sys.Rows, sys.Depth, sys.Stack = 2, 64, 4
			sys = sys.Variant(variant)
			circuit, err := host.Simulate(sys)
			require.NoError(t, err)
			defer circuit.Close()
			real, ideal := circuit.NewEstimator(), host.NewEstimator(sys.NewMachine(), sys)
			r := rand.New(rand.NewPCG(uint64(variant), 1))
			for range 3 {
				data := rollout(r, 3, 100, 8, [2]float64{-6, 3}, [2]float64{-100, 40})
				got, want := estimates(data), estimates(data)
				count, err := real.Estimate(data, got)
				require.NoError(t, err)
				_, err = ideal.Estimate(data, want)
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Equal(t, ideal.Clips, real.Clips)
				require.Equal(t, ideal.LoadClips, real.LoadClips)
				require.Greater(t, count.Cycles, 150)
				require.Greater(t, count.Transfer, 300*3) // measured, loaded, sent
				require.Less(t, count.Transfer, 300*2*8)  // in two runs of vectors of about eight steps, by streams
			}
		})
	}
}

// Each variant gives what its standardisation alone gives in float64, over several
// rollouts, whether or not the results ask for a shift: unquantised to 80 dB, with
// codes of 10 bits as near as these are.
func TestVariantsAgainstFloat(t *testing.T) {
	for variant := 1; variant <= 5; variant++ {
		for _, value := range [][2]float64{{0.5, 1}, {-3000, 500}} {
			sys := model.Paper()
			sys.Rows, sys.Depth, sys.CodeBits = 4, 256, 10
			sys = sys.Variant(variant)
			circuit, float := host.NewEstimator(sys.NewMachine(), sys), ppo.FloatVariant(sys, reference.StableBaselines)
			r := rand.New(rand.NewPCG(uint64(variant), 2))
			for range 3 {
				data := rollout(r, 6, 200, 50, [2]float64{-6, 0.5}, value)
				want, got := estimates(data), estimates(data)
				_, err := float.Estimate(data, want)
				require.NoError(t, err)
				_, err = circuit.Estimate(data, got)
				require.NoError(t, err)
				wrong, err := circuit.Saturated()
				require.NoError(t, err)
				require.Empty(t, wrong)
				a, b := compare(want, got, advantage), compare(want, got, returns)
				t.Logf("variant %d, values of %v: %.0f dB, %.0f dB", variant, value[0], a.SNR, b.SNR)
				floor := 35.0
				if sys.CodeBits == 0 {
					floor = 80
				}
				require.GreaterOrEqual(t, min(a.SNR, b.SNR), floor, variant)
			}
		}
	}
}

// A trajectory of many episodes keeps all rows busy: the cycles of all runs together
// are within an eighth of the least that there can be, the longest episode or an equal
// share of each row. Results are where they belong, whatever order the vectors had.
func TestBalance(t *testing.T) {
	for _, form := range []model.Form{model.Direct, model.CSlow} {
		for _, lengths := range [][]int{
			{430, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 30},
			{100, 1, 1, 1, 1, 1, 1, 250, 3, 200, 120, 80, 1, 1, 1, 238},
			slices.Repeat([]int{1}, 400),
		} {
			sys := model.Paper()
			sys.Rows, sys.Form, sys.Depth, sys.Stack = 4, form, 2048, 256
			sys = sys.Variant(1)
			r := rand.New(rand.NewPCG(1, 5))
			total, longest := 0, 0
			for _, n := range lengths {
				total, longest = total+n, max(longest, n)
			}
			data := rollout(r, 1, total, 1<<30, [2]float64{0, 1}, [2]float64{0, 1})
			end := -1
			for i, n := range lengths {
				end += n
				data[0].Terminated[end], data[0].Truncated[end] = i%2 == 0, i%2 != 0
			}
			got := estimates(data)
			e := host.NewEstimator(sys.NewMachine(), sys)
			count, err := e.Estimate(data, got)
			require.NoError(t, err)
			want, err := reference.StableBaselines.Estimate(&data[0], sys.Gamma, sys.Lambda)
			require.NoError(t, err)
			require.GreaterOrEqual(t, reference.Compare(want.Advantage, got[0].Advantage).SNR, 80.0)
			ideal := max(longest*sys.Stacks(), (total+sys.Rows-1)/sys.Rows)
			t.Logf("%v, %d steps in %d episodes: %d cycles in %d runs, %d at least in each", form, total, len(lengths), count.Cycles, e.Runs, ideal)
			require.LessOrEqual(t, float64(count.Cycles), float64(e.Runs)*(1.125*float64(ideal)+2))
		}
	}
}

// Steps that the circuit cannot hold even shifted are listed, in the trajectory's
// order; all others are not.
func TestSaturated(t *testing.T) {
	sys := model.Paper()
	sys.Rows, sys.Gamma, sys.Lambda = 2, 1, 1
	sys = sys.Variant(1)
	data := []reference.Trajectory{reference.NewTrajectory(5), reference.NewTrajectory(1024)}
	for i := range data[1].Len() {
		data[1].Reward[i] = 32767.5
	}
	data[1].Terminated[1023] = true
	e := host.NewEstimator(sys.NewMachine(), sys)
	for range 2 {
		_, err := e.Estimate(data, estimates(data))
		require.NoError(t, err)
		wrong, err := e.Saturated()
		require.NoError(t, err)
		require.Empty(t, wrong) // 2^25 holds them all
	}
	data[1] = reference.NewTrajectory(1024)
	for i := range data[1].Len() {
		data[1].Reward[i] = 32767.5
	}
	data[1].NextValue[1023] = 32767
	_, err := e.Estimate(data, estimates(data))
	require.NoError(t, err)
	wrong, err := e.Saturated()
	require.NoError(t, err)
	require.Equal(t, []host.Saturated{{1, 0, "the advantage"}}, wrong)
}

func TestEpisodeTooLong(t *testing.T) {
	sys := model.Paper()
	sys.Depth = 64
	data := []reference.Trajectory{reference.NewTrajectory(100)}
	data[0].Terminated[10] = true
	_, err := host.NewEstimator(sys.NewMachine(), sys).Estimate(data, estimates(data))
	require.EqualError(t, err, "the episode that ends at step 100 has 89 steps, and a stack holds 64")
}
