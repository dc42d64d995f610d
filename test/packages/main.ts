import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aborted, listenForStop } from '#scripts/tools/stop-request.ts';
import { startOwnPostgres } from '#test/own-postgres.ts';
import { makeDoors } from '#test/packages/doors.ts';
import { startReceiver } from '#test/receiver.ts';
import { serveDatabase } from '#test/serve-database.ts';
import { PLATFORM } from '#test/settings.ts';
import { startWorker } from '#worker/start-worker.ts';

// The service that the tests of the packages run against, in a process of its own: real database, worker and receiver.
// It tells its parent the environment of those tests, and ends with 1 when a response broke the contract.
const { asked } = listenForStop();
const mailDir = await mkdtemp(join(tmpdir(), 'packages-mail-'));
const postgres = await startOwnPostgres();
const receiver = await startReceiver(PLATFORM.hooksHost);
const service = await serveDatabase(postgres.url, {
  HOOKS_CONNECT_TO: receiver.connectTo,
  HOOKS_CA_FILE: receiver.caFile,
  MAIL_DIR: mailDir,
  SMTP_URL: '',
});
const worker = await startWorker();
const doors = makeDoors({ serviceUrl: service.url, received: receiver.received });
await new Promise<void>((resolve) => doors.listen(0, '127.0.0.1', resolve));
process.send?.({
  SERVICE_URL: service.url,
  DOORS_URL: `http://127.0.0.1:${(doors.address() as AddressInfo).port}`,
  PLATFORM_CLIENT_ID: PLATFORM.clientId,
  PLATFORM_CLIENT_SECRET: PLATFORM.clientSecret,
  PLATFORM_RETURN_URL: PLATFORM.returnUrl,
  HOOKS_HOST: PLATFORM.hooksHost,
});
await aborted(asked);
let failed = false;
for (const end of [
  () => new Promise((resolve) => doors.close(resolve)),
  () => worker.stop(),
  () => service.stop(),
  () => receiver.stop(),
  () => postgres.end(),
  () => rm(mailDir, { recursive: true, force: true }),
]) {
  try {
    await end();
  } catch (error) {
    console.error(error);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
