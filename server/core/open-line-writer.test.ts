import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLineWriter } from '#server/core/open-line-writer.ts';
import { projectDir } from '#server/core/project.ts';
import { REQUIRED_SETTINGS } from '#test/fixtures/required-settings.ts';
import { until } from '#test/fixtures/until.ts';

/** A device whose every write fails as on a full disk. Linux has it. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('on a full disk', () => {
  test('a process that logs continues, and ends when it should', () => {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', LOGGING], {
      cwd: projectDir,
      env: SETTINGS,
      stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
      timeout: 120_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    expect(stderr).toBe('still running\n');
    expect(status).toBe(3);
  });

  test('lines are dropped, and a flush ends', async () => {
    const writer = openLineWriter(openSync(FULL, 'w'));
    writer.write('a line\n');
    writer.flushSync();
    writer.write(`${'x'.repeat(10_000)}\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(() => writer.flushSync()).not.toThrow();
  });
});

test('lines are written in their order, soon and without a flush', async () => {
  const { file, writer } = openFile();
  const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n} of ü\n`);
  for (const line of lines) writer.write(line);
  await until('all are written', () => readFileSync(file, 'utf8') === lines.join(''));
});

test('lines arrive in their order through a pipe whose reader is slow', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITING], { cwd: projectDir });
  onTestFinished(() => void child.kill());
  await once(child.stderr, 'data');
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece;
  });
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`).join('');
  await until('all lines have arrived', () => output.length >= lines.length);
  expect(output).toBe(lines);
});

test('a flush writes what waits before it returns', () => {
  const { file, writer } = openFile();
  writer.write('first\n');
  writer.write('second\n');
  expect(readFileSync(file, 'utf8')).toBe('');
  writer.flushSync();
  expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n');
});

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log');
  return { file, writer: openLineWriter(openSync(file, 'w')) };
}

/** Writes more than a pipe can hold, and keeps running. */
const WRITING = `
  import { openLineWriter } from '#server/core/open-line-writer.ts';
  const writer = openLineWriter(1);
  for (let n = 0; n < 20_000; n += 1) writer.write('line ' + n + '\\n');
  setTimeout(() => process.stderr.write('written'), 50);
  setInterval(() => {}, 1_000);`;

/** Logs for longer than lines are buffered, and exits with lines that still wait. */
const LOGGING = `
  import { log } from '#server/core/log.ts';
  log().error('test.happened');
  setTimeout(() => {
    process.stderr.write('still running\\n');
    log().fatal('test.ended');
    process.exit(3);
  }, 500);`;
const SETTINGS = { ...REQUIRED_SETTINGS, LOG_LEVEL: 'info', NODE_ENV: 'production' as const };
