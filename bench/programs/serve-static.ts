import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import next from 'next';

// Next with nothing around it, for pages that ask for nothing. It sends its port. Its folder is built by then.
const dir = process.argv[2];
if (dir === undefined) throw new Error('Name the folder of the app.');
const app = next({ dev: false, dir });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((req, res) => void handle(req, res));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
