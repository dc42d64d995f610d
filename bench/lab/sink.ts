import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { projectDir } from '#server/core/project.ts';

/** A received delivery: the event, the path of the hook, and the arrival time on the machine's clock, in ms. */
export type Arrival = { id: string; path: string; at: number };

/** `hangs`: paths below /hang/ get no response. `acceptedPerSecond`: further requests get 429. */
export type SinkBehaviour = { hangs?: boolean; acceptedPerSecond?: number; respondsInMs?: number };

export type SinkOrder = { kind: 'report' } | { kind: 'reset'; behaviour: SinkBehaviour; expected: number };

/**
 * `requests`: number of 200 responses, including repeated deliveries. `repeats`: later arrivals of the same deliveries. `lagMs`: the sink's largest event loop
 * delay.
 */
export type SinkReport = {
  requests: number;
  refused: number;
  arrivals: Arrival[];
  repeats: Arrival[];
  lagMs: number;
};

export type Sink = {
  connectTo: string;
  host: string;
  caFile: string;
  /** Drops the recorded requests, and sets the number of distinct deliveries to expect. */
  reset(expected: number, behaviour?: SinkBehaviour): Promise<void>;
  complete(timeoutMs?: number): Promise<void>;
  report(): Promise<SinkReport>;
  stop(): Promise<void>;
};

/** Starts a TLS receiver for `host` in a separate process. */
export async function startSink(host: string): Promise<Sink> {
  const folder = await mkdtemp(join(tmpdir(), 'sink-'));
  const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  });
  const [keyFile, caFile] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  await Promise.all([writeFile(keyFile, key), writeFile(caFile, cert)]);
  const child = spawn(process.execPath, ['bench/programs/sink.ts'], {
    cwd: projectDir,
    env: { ...process.env, SINK_KEY: keyFile, SINK_CERT: caFile },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { port } = await messageWith<{ port: number }>(child, 'port');
  let complete = Promise.resolve<unknown>(undefined);
  return {
    host,
    caFile,
    connectTo: `127.0.0.1:${port}`,
    reset: async (expected, behaviour = {}) => {
      const isReset = messageWith(child, 'isReset');
      child.send({ kind: 'reset', behaviour, expected } satisfies SinkOrder);
      await isReset;
      // A sink that expects nothing never reports that it is complete.
      complete = expected > 0 ? messageWith(child, 'complete') : Promise.resolve();
    },
    complete: async (timeoutMs = 60_000) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const late = once(timeout, 'abort').then(() => {
        throw new Error(`Deliveries are missing after ${timeoutMs} ms.`);
      });
      await Promise.race([complete, late]);
    },
    report: () => {
      const report = messageWith<SinkReport>(child, 'arrivals');
      child.send({ kind: 'report' } satisfies SinkOrder);
      return report;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Resolves with the next message of the process that has this field. */
function messageWith<T>(child: ChildProcess, field: string): Promise<T> {
  return new Promise((resolve) => {
    const onMessage = (message: Record<string, unknown>) => {
      if (!(field in message)) return;
      child.off('message', onMessage);
      resolve(message as T);
    };
    child.on('message', onMessage);
  });
}
