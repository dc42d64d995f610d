import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

/** Request of an exporter (OTLP over HTTP, JSON). */
const traces = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              kind: z.number(),
              traceId: z.string().length(32),
              spanId: z.string().length(16),
              parentSpanId: z.string().optional(),
              attributes: z.array(
                z
                  .object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
                  .transform(({ key, value }) => [key, Object.values(value)[0]] as const),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  attributes: Record<string, unknown>;
};

/** Starts an OpenTelemetry collector on a port of 127.0.0.1, which records the spans that it gets. */
export async function startTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (req, res) => {
    if (req.method !== 'POST' || req.url !== '/v1/traces') return res.writeHead(404).end();
    const { resourceSpans } = traces.parse(await json(req));
    const received = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans));
    spans.push(...received.map((span) => ({ ...span, attributes: Object.fromEntries(span.attributes) })));
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
