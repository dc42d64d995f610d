import { mkdir, rm, writeFile } from 'node:fs/promises';
import { makeCollection } from './make-collection.ts';

// `npm run generate`: run this after a change of openapi.json or journey.ts.
const folder = new URL('../collection/', import.meta.url);
await rm(folder, { recursive: true, force: true });
for (const [name, text] of makeCollection()) {
  const file = new URL(encodeURI(name), folder);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
