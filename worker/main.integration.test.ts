import { expect } from 'vitest';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorkerProcess } from '#test/servers/service-processes.ts';

test('a worker writes only JSON lines, also for warnings of Node and the console output of libraries', async ({
  service: _,
}) => {
  const worker = await startWorkerProcess({ LOG_LEVEL: 'info', NODE_OPTIONS: `--import=${LIBRARY}` });
  process.kill(worker.pid, 'SIGUSR2');
  await until('both are written', () =>
    ['by_library', 'by_node'].every((text) => worker.output().includes(text)),
  );
  expect(await worker.stop()).toBe(0);
  const lines = worker.output().trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
});

/** Stands for a library that writes to the console when the process gets a signal. */
const LIBRARY =
  "data:text/javascript,process.on('SIGUSR2',()=>{console.log('by_library');process.emitWarning('by_node')})";
