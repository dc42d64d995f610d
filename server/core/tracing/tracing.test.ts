import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { projectDir } from '#server/core/project.ts';
import { openTracer } from '#server/core/tracing/open-tracer.ts';
import { type SpanOptions, traced, traceParent } from '#server/core/tracing/tracing.ts';
import { setTestSettings } from '#test/servers/settings.ts';
import { startTraceReceiver } from '#test/servers/trace-receiver.ts';

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

describe('whether a span is recorded', () => {
  // The smallest trace id: a sampler by trace id would record it for any share.
  const TRACE = `${'0'.repeat(31)}1`;
  const parentOf = (flags: string) => `00-${TRACE}-00f067aa0ba902b7-${flags}`;

  /** Returns the spans of 20 pieces of work that arrive at the collector, each with one inside. */
  async function record(share: number, options: SpanOptions) {
    const collector = await startTraceReceiver();
    try {
      const tracer = openTracer({ endpoint: collector.url, share, part: 'server' });
      for (let i = 0; i < 20; i += 1)
        tracer.run('outer', options, () => tracer.run('inner', {}, () => undefined));
      await tracer.stop();
      return collector.spans;
    } finally {
      await collector.stop();
    }
  }

  test('is decided by the share for a request, whatever its caller asks for', async () => {
    expect(await record(0, { parent: parentOf('01'), isFromOutside: true })).toEqual([]);
    const spans = await record(1, { parent: parentOf('00'), isFromOutside: true });
    expect(spans).toHaveLength(40);
    expect(spans.every(({ traceId }) => traceId === TRACE)).toBe(true);
  });

  test('is not decided by the trace id that a caller chooses', async () => {
    const spans = await record(0.5, { parent: parentOf('01'), isFromOutside: true });
    // By chance alone, all or none of 20 are recorded once in half a million runs.
    expect(spans.length).toBeGreaterThan(0);
    expect(spans.length).toBeLessThan(40);
    // The work inside follows.
    expect(spans.filter(({ name }) => name === 'inner')).toHaveLength(spans.length / 2);
  });

  test('is the decision of the request for its events and deliveries', async () => {
    expect(await record(0, { parent: parentOf('01') })).toHaveLength(40);
    expect(await record(1, { parent: parentOf('00') })).toEqual([]);
  });
});
