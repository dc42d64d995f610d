import { settings } from '#server/core/env.ts';
import { processState } from '#server/core/process-state.ts';

/** Values of a span. They contain ids and names, never texts, tokens or addresses of people. */
export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  /** Default: work inside of the process. */
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: SpanAttributes;
  /** `traceparent` of a caller or an event. An invalid one, or null, starts a trace. Default: the current span. */
  parent?: string | null | undefined;
  /** The parent comes from outside: its trace continues, but the share of traces decides whether it is recorded. */
  isFromOutside?: boolean;
  /** Does not start a trace of its own. For work that also happens without a request. */
  onlyInTrace?: boolean;
};

/** The span that `traced` passes to its work: undefined while tracing is off. */
export type Span = { set(attributes: SpanAttributes): void };

export type Tracer = {
  run<T>(name: string, options: SpanOptions, work: (span: Span | undefined) => T): T;
  /** `traceparent` of the current span. */
  current(): string | undefined;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
};

const state = processState((): { tracer: Tracer | undefined } => ({ tracer: undefined }));

/**
 * Turns tracing on if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Only then the OpenTelemetry SDK is loaded.
 */
export async function startTracing(part: 'server' | 'worker'): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = settings();
  if (endpoint === undefined) return;
  const { openTracer } = await import('#server/core/tracing/open-tracer.ts');
  state().tracer = openTracer({ endpoint, share, part });
}

/** Sends the remaining spans before the process exits, and turns tracing off. */
export async function stopTracing(): Promise<void> {
  await state.take()?.tracer?.stop();
}

/** Runs `work` in a span. A returned promise ends the span when it settles. Without tracing only runs `work`. */
export function traced<T>(name: string, options: SpanOptions, work: (span: Span | undefined) => T): T {
  const { tracer } = state();
  return tracer === undefined ? work(undefined) : tracer.run(name, options, work);
}

/** Returns the `traceparent` of the current span, for work that continues elsewhere. Undefined without tracing. */
export function traceParent(): string | undefined {
  return state().tracer?.current();
}
