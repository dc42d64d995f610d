import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { SpreadWaiting } from '#scripts/check/spread-waiting.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'order-'));
});
afterEach(() => rm(folder, { recursive: true }));

const PROCESSES = "import { startOwnPostgres } from '#test/database/own-postgres.ts';";

/** Returns the names of files with these texts, in the order in which they would run. */
async function orderOf(texts: Record<string, string>): Promise<string[]> {
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  const files = Object.keys(texts).map((name) => ({ moduleId: join(folder, name) }) as TestSpecification);
  const sorted = await new SpreadWaiting({} as Vitest).sort(files);
  return sorted.map(({ moduleId }) => basename(moduleId));
}

test('files that start processes are spread among the others, longer ones before shorter ones', async () => {
  const texts = {
    a: '1',
    b: '1234',
    c: '123',
    waits: PROCESSES,
    long: '123456',
    waitsLonger: `${PROCESSES}//`,
  };
  expect(await orderOf(texts)).toEqual(['waitsLonger', 'long', 'b', 'waits', 'c', 'a']);
});

test('the last files need processor time, so that no waiting file runs alone at the end', async () => {
  const order = await orderOf({ w1: PROCESSES, w2: '// Mostly waits.', a: '1', b: '12', c: '123' });
  expect(order).toEqual(['w1', 'c', 'w2', 'b', 'a']);
});

test('files with settings of their own, also by their fixture, come after those that share a service', async () => {
  const texts = {
    own: "const test = serviceTest.extend('settings', { scope: 'file' }, () => ({ TRUST_PROXY: '0' }));",
    fixture: "import { test } from '#test/fixtures/mail-test.ts';",
    derived: "import { test } from '#test/fixtures/signed-mail-test.ts';",
    usual: "import { test } from '#test/fixtures/service-test.ts';",
    screens: "import { test } from '#test/fixtures/screens-test.ts';",
  };
  const order = await orderOf(texts);
  expect(order.slice(0, 2).sort()).toEqual(['screens', 'usual']);
  expect(order.slice(2).sort()).toEqual(['derived', 'fixture', 'own']);
});

test('no file is lost, however many of them wait', async () => {
  expect(await orderOf({ a: '1', b: '12' })).toEqual(['b', 'a']);
  expect(await orderOf({ waits: PROCESSES })).toEqual(['waits']);
  expect((await orderOf({ a: '1', w1: PROCESSES, w2: PROCESSES, w3: PROCESSES })).sort()).toEqual([
    'a',
    'w1',
    'w2',
    'w3',
  ]);
});
