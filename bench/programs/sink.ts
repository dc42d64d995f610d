import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { machineMs } from '#bench/lab/clock.ts';
import type { Arrival, SinkBehaviour, SinkOrder } from '#bench/lab/sink.ts';
import { misbehave } from '#test/servers/misbehaviours.ts';

// A receiver in a separate process, started by bench/lab/sink.ts. It responds immediately unless told to hang
// or throttle, and records the first arrival of each delivery. On some paths it misbehaves instead.
const { SINK_KEY = '', SINK_CERT = '' } = process.env;
const arrivals = new Map<string, Arrival>();
let repeats: Arrival[] = [];
/** Timestamps of the requests accepted within the last second, while throttling. */
let accepted: number[] = [];
let behaviour: SinkBehaviour = {};
let requests = 0;
let refused = 0;
let expected = Number.POSITIVE_INFINITY;
/** Measures the receiver's own delays, to tell a slow receiver from a slow service. */
const lag = monitorEventLoopDelay({ resolution: 10 });
lag.enable();

const server = createServer({ key: readFileSync(SINK_KEY), cert: readFileSync(SINK_CERT) }, (req, res) => {
  req.resume();
  req.once('end', () => {
    const path = req.url ?? '';
    if (misbehave(path, res)) return;
    if (behaviour.hangs && path.startsWith('/hang/')) return;
    if (!accepts()) {
      refused += 1;
      res.writeHead(429).end();
      return;
    }
    requests += 1;
    const id = String(req.headers['x-service-delivery'] ?? req.headers['webhook-id']);
    const key = `${id} ${path}`;
    const arrival = { id, path, at: machineMs() };
    if (arrivals.has(key)) repeats.push(arrival);
    else {
      arrivals.set(key, arrival);
      if (arrivals.size === expected) process.send?.({ complete: true });
    }
    const respond = () => res.writeHead(200).end('{}');
    if (behaviour.respondsInMs) setTimeout(respond, behaviour.respondsInMs);
    else respond();
  });
});
server.on('clientError', (_error, socket) => socket.destroy());

function accepts(): boolean {
  const { acceptedPerSecond } = behaviour;
  if (acceptedPerSecond === undefined) return true;
  const now = performance.now();
  accepted = accepted.filter((at) => at > now - 1_000);
  if (accepted.length >= acceptedPerSecond) return false;
  accepted.push(now);
  return true;
}

process.on('message', (order: SinkOrder) => {
  if (order.kind === 'report') {
    process.send?.({ requests, refused, arrivals: [...arrivals.values()], repeats, lagMs: lag.max / 1e6 });
    return;
  }
  arrivals.clear();
  repeats = [];
  lag.reset();
  accepted = [];
  requests = refused = 0;
  ({ behaviour, expected } = order);
  process.send?.({ isReset: true });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
