import {
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanOptions, Tracer } from '#server/core/tracing/tracing.ts';
import { codeOf } from '#server/core/user-error.ts';

/** Maximum wait for the last spans when the process ends, in ms. */
const STOP_MS = 5_000;
const KINDS: Record<NonNullable<SpanOptions['kind']>, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Set in the context of a span whose parent comes from outside. */
const FROM_OUTSIDE = createContextKey('from outside');

/**
 * Decides about requests by chance, because callers choose their trace ids and flags. Everything else follows its parent, or
 * is decided by its trace id.
 */
function makeSampler(share: number): Sampler {
  const own = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  return {
    shouldSample(context, ...span) {
      if (!context.getValue(FROM_OUTSIDE)) return own.shouldSample(context, ...span);
      const isRecorded = Math.random() < share;
      return {
        decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
      };
    },
    toString: () => `from outside by chance, else ${own.toString()}`,
  };
}

/**
 * Opens a tracer that sends spans as OTLP over HTTP, in batches. Spans that the receiver cannot take are dropped. Nothing is registered
 * globally: Next.js and other libraries would send their own spans.
 * @param share share of the traces that start here or continue those of callers, from 0 to 1
 */
export function openTracer({
  endpoint,
  share,
  part,
}: {
  endpoint: string;
  share: number;
  part: string;
}): Tracer {
  const contexts = new AsyncLocalStorageContextManager().enable();
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `shared-inbox-${part}` }),
    sampler: makeSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const tracer = provider.getTracer('shared-inbox');

  function parentOf({ parent }: SpanOptions): Context {
    if (parent === undefined) return contexts.active();
    const remote = parent === null ? null : parseTraceParent(parent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
  }

  return {
    run(name, options, work) {
      const parent = parentOf(options);
      if (options.onlyInTrace && !trace.getSpanContext(parent)) return work(undefined);
      const { kind, attributes = {}, isFromOutside } = options;
      const span = tracer.startSpan(
        name,
        { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes },
        isFromOutside ? parent.setValue(FROM_OUTSIDE, true) : parent,
      );
      const fail = (error: unknown) => {
        // Without the message, which may quote values.
        span.setAttribute('error.type', codeOf(error) ?? (error instanceof Error ? error.name : 'error'));
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
      try {
        const given = { set: (values: object) => void span.setAttributes({ ...values }) };
        const result = contexts.with(trace.setSpan(parent, span), () => work(given));
        if (result instanceof Promise) result.then(() => span.end(), fail);
        else span.end();
        return result;
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    current() {
      const context = trace.getSpanContext(contexts.active());
      if (!context) return undefined;
      const flags = context.traceFlags.toString(16).padStart(2, '0');
      return `00-${context.traceId}-${context.spanId}-${flags}`;
    },
    async stop() {
      const flushed = provider.shutdown().catch(() => undefined);
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, STOP_MS);
      await Promise.race([flushed, timer.promise]);
      clearTimeout(timeout);
      contexts.disable();
    },
  };
}
