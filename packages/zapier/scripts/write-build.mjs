// Writes what is settled when the app is built: its version, and the service's address out of SERVICE_URL.
import { readFile, writeFile } from 'node:fs/promises';

const given = process.env.SERVICE_URL ?? '';
const url = given === '' ? null : URL.parse(given);
const isLoopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

if (process.argv.includes('--required') && given === '') {
  console.error('Set SERVICE_URL to the address of the service, for example https://inbox.example.com.');
  process.exit(1);
}
if (given !== '' && (url === null || (url.protocol !== 'https:' && !isLoopback))) {
  console.error(`SERVICE_URL must be an https address, and is ${given}.`);
  process.exit(1);
}
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const build = JSON.stringify({ version, serviceUrl: url?.origin ?? null });
await writeFile(new URL('../dist/build.js', import.meta.url), `export const BUILD = ${build};\n`);
