package rival

// Names of the files of a build.
const (
	designFile = "design.v"
	driverFile = "driver.cpp"
	modelFile  = "model"
	prefix     = "Vbench" // of the class that Verilator makes
)

// driver is the C++ program that runs a model: a cycle of reset, then as many as the first
// argument says. It prints the sum, and the loop's seconds on the processor and
// on the clock.
const driver = `// Written by etch.
#include "Vbench.h"
#include "verilated.h"
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>

static double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void cycles(Vbench* top, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    top->clk = 1;
    top->eval();
    top->clk = 0;
    top->eval();
  }
}

int main(int argc, char** argv) {
  uint64_t n = argc > 1 ? strtoull(argv[1], nullptr, 10) : 0;
  VerilatedContext* context = new VerilatedContext;
  Vbench* top = new Vbench(context);
  top->clk = 0;
  top->rst = 1;
  top->eval();
  cycles(top, 1);
  top->rst = 0;
  top->eval();
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  cycles(top, n);
  cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = now(CLOCK_MONOTONIC) - wall;
  printf("\n%016" PRIx64 " %.9f %.9f\n", (uint64_t)top->sum, cpu, wall);
  return 0;
}
`
