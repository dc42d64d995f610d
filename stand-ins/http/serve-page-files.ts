import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const;

/**
 * Returns a function that sends the files of `renderDocument`: the style sheet of both stand-ins, and the script and icon of
 * one. It returns false for other paths.
 * @param folder with page.js and icon.svg
 */
export function servePageFiles(folder: URL): (res: ServerResponse, path: string) => boolean {
  const read = (base: URL | string, name: string, type: keyof typeof TYPES) =>
    [
      `/${name}`,
      { type: `${TYPES[type]}; charset=utf-8`, content: readFileSync(new URL(name, base)) },
    ] as const;
  const files = new Map<string, { type: string; content: Buffer }>([
    read(import.meta.url, 'page.css', 'css'),
    read(folder, 'page.js', 'js'),
    read(folder, 'icon.svg', 'svg'),
  ]);
  return (res, path) => {
    const file = files.get(path);
    if (!file) return false;
    res.writeHead(200, { 'Content-Type': file.type }).end(file.content);
    return true;
  };
}
