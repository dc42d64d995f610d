import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { projectDir } from '#server/core/project.ts';
import { REQUIRED_SETTINGS } from '#test/fixtures/required-settings.ts';

test('a process whose work does not end after a signal exits nevertheless, and logs it', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', NEVER_DRAINED], {
    cwd: projectDir,
    env: SETTINGS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece;
    if (output.includes('test.ready')) child.kill('SIGTERM');
  });
  const guard = setTimeout(() => child.kill('SIGKILL'), 120_000);
  expect(await once(child, 'close')).toEqual([1, null]);
  clearTimeout(guard);
  const names = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(names).toEqual(['test.ready', 'process.ending', 'process.failed_to_end']);
});

const NEVER_DRAINED = `
  import { log } from '#server/core/log.ts';
  import { endOnSignals } from '#server/core/process.ts';
  endOnSignals(() => new Promise(() => setInterval(() => {}, 1_000)), 300);
  log().info('test.ready');
  setInterval(() => {}, 1_000);`;
const SETTINGS = { ...REQUIRED_SETTINGS, LOG_LEVEL: 'info', NODE_ENV: 'production' as const };
