import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import { projectDir } from '#server/core/project.ts';

const eslint = new ESLint({ cwd: projectDir });

/** Returns the rules that a line of code violates in a file of this name. */
async function brokenRules(line: string, filePath: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(`${line}\n`, { filePath });
  return result?.messages.map(({ ruleId }) => ruleId) ?? [];
}

const BACKTRACKING = 'regexp/no-super-linear-backtracking';
const MOVE = 'regexp/no-super-linear-move';

test.each([
  ['that takes spaces twice around what may be missing', String.raw`/^Basic +([\w+/]*=*) *$/i`, BACKTRACKING],
  ['that repeats a repetition', String.raw`/^(\w+\s?)*$/`, BACKTRACKING],
  ['that looks for a repeated class before the end', String.raw`/[\s.]+$/`, MOVE],
  ['that is made of a text', String.raw`new RegExp('\\/+$')`, MOVE],
])('an expression %s does not pass', async (_which, expression, rule) => {
  for (const file of [
    'server/planted.ts',
    'app/planted.tsx',
    'worker/planted.ts',
    'stand-ins/platform/planted.ts',
  ]) {
    expect(await brokenRules(`export const planted = ${expression};`, file)).toContain(rule);
  }
});

test('one with a single way to match passes', async () => {
  const line = 'export const planted = /^[a-z]+@[a-z.]{1,200}$/;';
  expect(await brokenRules(line, 'server/planted.ts')).toEqual([]);
});
