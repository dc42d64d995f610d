import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectDir } from '#server/core/project.ts';
import { traced, traceParent } from '#server/core/tracing/tracing.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const run = promisify(execFile);

/** Prints how many modules of OpenTelemetry were loaded. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  let loaded = 0;
  registerHooks({ load: (url, context, next) => {
    if (url.includes('/@opentelemetry/')) loaded += 1;
    return next(url, context);
  } });
  const { startTracing, stopTracing } = await import('#server/core/tracing/tracing.ts');
  await startTracing('server');
  console.log(loaded);
  await stopTracing();`;

async function countLoaded(OTEL_EXPORTER_OTLP_ENDPOINT: string): Promise<number> {
  setTestSettings({ OTEL_EXPORTER_OTLP_ENDPOINT });
  const args = ['--input-type=module', '--eval', PROGRAM];
  const { stdout } = await run(process.execPath, args, { cwd: projectDir });
  return Number(stdout);
}

test('OpenTelemetry is loaded only with OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
  expect(await countLoaded('')).toBe(0);
  expect(await countLoaded('http://127.0.0.1:1')).toBeGreaterThan(3);
});

test('without tracing, work runs without a span and returns its result', () => {
  setTestSettings();
  expect(traced('work', { kind: 'server' }, (span) => [span, traceParent()])).toEqual([undefined, undefined]);
});
