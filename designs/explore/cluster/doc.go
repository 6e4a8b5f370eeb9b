// Package cluster spreads a sweep of package explore over machines: the dear measures
// of etch explore go through a NATS JetStream server to workers. It is a Go module of
// its own, so that etch does not depend on NATS.
//
//	etch-cluster serve -store DIR                           the queue, one process
//	etch-cluster work -server 127.0.0.1:4222                a worker, on each machine
//	etch-cluster explore DESIGN -sweep … -server …          the sweep: the asker
//
// A main of a user's own has the verbs by [Main].
//
// # Terms
//
//	asker   the process of etch explore; it has the journal
//	sweep   one dear measure of one asker's folder, with the jobs that it is applied to
//	job     a measurement as data: design, values, key (explore.Job)
//	open    of a job: its result is not in the journal yet
//
// # Messages
//
//	etch.sweep              announcement: build, design, measure, tool; every 2 s while the sweep lives
//	etch.job.SWEEP.KEY      a job, in the stream etch_jobs until a worker acknowledges it
//	etch.result.SWEEP.KEY   its result, in the stream etch_results
//	etch.note.SWEEP         one line of a worker for the asker's user: why it refuses
//
// SWEEP is a hash of the asker's machine and folder, of measure and tool; KEY one of the
// result's key. The asker builds all candidates and takes the cheap measures itself: it
// needs the netlists for the keys.
//
// # Invariants
//
//   - The asker's journal is the truth, and explore counts a key once. The server's
//     streams only save work: with all of them lost, the sweep goes on.
//   - A subject holds one message. So a job that is published again while it waits, or
//     while a worker has it, is refused by the server: nothing stands in the queue twice.
//   - A worker acknowledges a job after its result is stored. So an open job whose
//     subject is empty has a result, or was lost. The asker looks every 5 s and after
//     each reconnection: it fetches the result, or publishes the job again.
//   - Jobs are data. A worker makes the netlist with its own program, and takes jobs of a
//     byte-identical program with equal versions of the tools only. It compares the hash
//     of the netlist with the asker's before it measures.
//   - A job that five workers took without an end becomes a result with an error. A
//     failure of a machine (explore.ErrPassing) moves the job to another worker, and is
//     reported to the asker after the fifth.
//   - The server listens on loopback; on other addresses only with a token and TLS, and
//     clients give their token to other hosts only under TLS.
//
// # Other machines
//
// A token is a file with a word of at least 16 characters, a certificate any in PEM for
// the server's address:
//
//	(umask 077; openssl rand -hex 24 > token)
//	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 \
//	  -subj /CN=etch -addext subjectAltName=IP:10.0.0.5 -keyout key.pem -out cert.pem
//	etch-cluster serve -store queue -listen 10.0.0.5:4222 -token-file token -cert cert.pem -key key.pem
//	etch-cluster work -server tls://10.0.0.5:4222 -token-file token -ca cert.pem
//
// # Cost
//
// A job that measures nothing takes 2.1 ms with one worker at a time, 1.7 with four, 1.6
// with 16, server, worker and asker on two cores, each message synced to an ext4 disk
// (locally 0.01 ms):
//
//	go test -run '^$' -bench Job -benchtime 1x .
//
// A server takes 31 MB of memory at rest and 61 with 10,000 jobs waiting (2.8 MB on its
// disk), a worker 25 and, building FIFOs for yosys, 30: VmRSS in /proc/PID/status of
// etch-cluster serve, with etch-cluster explore counter -sweep width=1..10000 -measure
// yosys:xc7 -margin 0 -server … and no worker.
//
// Package cluster imports explore, cli, ir/input, testbench/tools and NATS. Nothing of etch imports
// it.
package cluster
