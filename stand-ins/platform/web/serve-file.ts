import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

const TYPES = {
  '/page.css': 'text/css; charset=utf-8',
  '/page.js': 'text/javascript; charset=utf-8',
  '/icon.svg': 'image/svg+xml',
} as const;

const files = new Map(
  Object.entries(TYPES).map(([path, type]) => [
    path,
    { type, content: readFileSync(new URL(`../public${path}`, import.meta.url)) },
  ]),
);

/** Sends a static file of the page; returns false when it does not exist. */
export function serveFile(res: ServerResponse, path: string): boolean {
  const file = files.get(path);
  if (!file) return false;
  res.writeHead(200, { 'Content-Type': file.type }).end(file.content);
  return true;
}
