// Writes dist/build.js with the app's version and the service's URL from SERVICE_URL.
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const given = process.env.SERVICE_URL ?? '';
const isRequired = process.argv.includes('--required');

if (isRequired && given === '') {
  stop('Set SERVICE_URL to the address of the service, for example https://inbox.example.com.');
}
const serviceUrl = given === '' ? null : parseServiceUrl(given);
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
await mkdir(new URL('../dist/', import.meta.url), { recursive: true });
await writeFile(
  new URL('../dist/build.js', import.meta.url),
  `export const BUILD = ${JSON.stringify({ version, serviceUrl })};\n`,
);

/** Validates the service's URL, which is its `BASE_URL` and has no path. Returns it without a trailing slash. */
function parseServiceUrl(text) {
  const url = URL.parse(text);
  const isLoopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url === null || (url.protocol !== 'https:' && !isLoopback)) {
    stop(`SERVICE_URL must be an https address, not ${text}.`);
  }
  const isRoot = /^\/+$/.test(url.pathname);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || !isRoot) {
    stop(`SERVICE_URL must have no user, path, query or fragment. It is ${text}.`);
  }
  return url.origin;
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
