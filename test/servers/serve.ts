import type { AddressInfo } from 'node:net';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { endOnSignals } from '#server/core/process.ts';
import { closeServer } from '#server/http/close-server.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { getReady } from '#server/http/get-ready.ts';

// A server in a separate process, started by startServerProcess: the real server without the screens, which
// need a build.
const server = createHttpServer(async (_req, res) => {
  res.end();
});
endOnSignals(async () => {
  await closeServer(server, 5_000);
  await closeDatabase();
});
await getReady();
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
