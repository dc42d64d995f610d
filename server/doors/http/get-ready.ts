import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { warmUp } from '#server/doors/http/warm-up.ts';
import { keepConnections } from '#server/ground/keep-connections.ts';
import { openLimiterStore } from '#server/ground/limits/limiter-store.ts';

/** What a server does before it listens, so that the first requests after a start are answered like all others. Never throws. */
export async function getReady(): Promise<void> {
  returnMemory();
  await Promise.all([openLimiterStore(), keepConnections()]);
  await warmUp();
}

/** Returns what loading the service took: a third of the process, which V8 would keep for the garbage of requests. */
function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
