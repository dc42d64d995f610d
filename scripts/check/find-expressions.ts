import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '#server/core/project.ts';

/**
 * Matches a slash that may start a regular expression, but not one of a comment, tag or path, or right after a value.
 * Formatted code has spaces around operators, so this misses none; it also matches some divisions.
 */
const MAY_BEGIN = /(?:^|[^\w"'`)\]<*/.@#$-])\/(?![/*>])/m;

/** Matches `RegExp`, and ESLint directives, because unused ones are reported too. */
const NAMED = /RegExp|eslint-/;

/** Returns whether a formatted source may contain a regular expression. */
export function mayHoldExpression(source: string): boolean {
  return NAMED.test(source) || MAY_BEGIN.test(source);
}

/** Returns the paths of sources in these folders that may contain a regular expression, sorted. */
export async function findExpressions(folders: string[]): Promise<string[]> {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx,js}`),
    { cwd: projectDir, exclude: ['**/node_modules/**', 'server/generated/**', '**/*.test.ts'] },
  );
  const held = await Promise.all(
    files.map(async (file) => mayHoldExpression(await readFile(join(projectDir, file), 'utf8'))),
  );
  return files.filter((_, at) => held[at]).sort();
}
