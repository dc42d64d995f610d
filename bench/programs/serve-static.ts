import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import next from 'next';

// Serves a bare Next app from a built folder, and sends its port to the parent process.
const dir = process.argv[2];
if (dir === undefined) throw new Error('Name the folder of the app.');
const app = next({ dev: false, dir });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((req, res) => void handle(req, res));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
