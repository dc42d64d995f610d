import type { AddressInfo } from 'node:net';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { endOnSignals } from '#server/core/process.ts';
import { projectDir } from '#server/core/project.ts';
import { closeServer } from '#server/http/close-server.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { getReady } from '#server/http/get-ready.ts';
import { nextPages } from '#server/http/pages/next-pages.ts';

// Serves the built screens on a free port, and sends the port to the parent process.
const pages = await nextPages(projectDir);
const server = createHttpServer(pages.render);
endOnSignals(async () => {
  await closeServer(server, 5_000);
  await pages.close();
  await closeDatabase();
});
await getReady();
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
