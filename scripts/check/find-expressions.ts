import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '#server/core/project.ts';

/**
 * A slash with which an expression may begin: not one of a comment, a tag or a path, nor one right after a value. As
 * formatted code has a space around operators and after keywords, that misses none; a quotient is found as well.
 */
const MAY_BEGIN = /(?:^|[^\w"'`)\]<*/.@#$-])\/(?![/*>])/m;

/** What makes an expression, or allows one: an allowance that is not needed any more is reported too. */
const NAMED = /RegExp|eslint-/;

/** Whether a formatted source may hold a regular expression, as a literal or by `RegExp`. */
export function mayHoldExpression(source: string): boolean {
  return NAMED.test(source) || MAY_BEGIN.test(source);
}

/** The sources in folders of the project that may hold a regular expression: paths from the project's folder, sorted. */
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
