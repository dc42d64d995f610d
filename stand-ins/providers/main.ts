import { StartError } from '../http/listen.ts';
import { log } from '../http/log.ts';
import { parseSettings, type Settings } from './settings.ts';
import { type Running, startProviders } from './start-providers.ts';

/** Starts the stand-in, and sends `ready` to a parent process when it is reachable. */
async function start(settings: Settings): Promise<void> {
  const running = await startProviders(settings);
  stopOnRequest(running);
  log('providers.ready', { page: settings.url, smtp_port: settings.smtpPort });
  process.send?.('ready');
}

/** Stops cleanly on a signal, and when the parent process has exited. */
function stopOnRequest(running: Running): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    log('providers.stopping');
    if (process.connected) process.disconnect();
    void running.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, stop);
}

const read = parseSettings(process.env);
if (!read.ok) {
  for (const problem of read.problems) console.error(problem);
  process.exit(1);
}
start(read.settings).catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});
