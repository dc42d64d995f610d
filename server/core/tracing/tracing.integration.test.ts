import { afterEach, describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { startTracing, stopTracing } from '#server/core/tracing/tracing.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { until } from '#test/fixtures/until.ts';
import { test as webhookTest } from '#test/fixtures/webhook-test.ts';
import { startInboundMail } from '#test/servers/inbound-mail.ts';
import { type ReceivedSpan, startTraceReceiver } from '#test/servers/trace-receiver.ts';

const test = webhookTest
  .extend('collector', { scope: 'file' }, async ({ receiverServer: _ }, { onCleanup }) => {
    const collector = await startTraceReceiver();
    onCleanup(collector.stop);
    return collector;
  })
  .extend('settings', { scope: 'file' }, ({ collector, receiverServer }) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    HOOKS_HOST: 'localhost',
    HOOKS_CONNECT_TO: receiverServer.connectTo,
    INBOUND_SMTP_PORT: '2525',
  }))
  .extend('spans', ({ collector, service: _ }) => {
    collector.spans.length = 0;
    return {
      /** Returns the spans of a trace, after this process has sent them. */
      of: async (traceId: string) => {
        await stopTracing();
        return collector.spans.filter((span) => span.traceId === traceId);
      },
    };
  });

afterEach(stopTracing);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

describe('one trace', () => {
  test('has the call, its statements, the event, the delivery and the receiver’s response', async ({
    service,
    connection,
    conversation,
    received,
    makeWebhook,
    spans,
  }) => {
    await startTracing('server');
    await makeWebhook();
    const response = await fetch(`${service.url}${API_PATH}/conversations/${conversation}/notes`, {
      method: 'POST',
      headers: {
        ...CALLER,
        Authorization: `Bearer ${connection.accessToken}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ content: 'Hello' }),
    });
    expect(response.status).toBe(201);
    const [request] = await received(1);
    await until('the result is recorded', async () => {
      const { workspaceId } = connection;
      return (await db().delivery.count({ where: { workspaceId, outcome: 'delivered' } })) === 1;
    });
    const trace = await spans.of(TRACE);
    const call = one(trace, 'POST API');
    expect(call).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2 });
    expect(call.attributes).toMatchObject({ 'http.route': 'API', 'http.response.status_code': 201 });
    const event = one(trace, 'event note.added');
    const delivery = one(trace, 'deliver');
    expect(isBelow(trace, event, call)).toBe(true);
    expect(delivery.parentSpanId).toBe(event.spanId);
    expect(delivery.attributes).toMatchObject({
      'http.response.status_code': 200,
      'inbox.outcome': 'delivered',
      'inbox.event.id': event.attributes['inbox.event.id'],
    });
    const statements = trace.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    expect(statements.length).toBeGreaterThan(2);
    for (const statement of statements) expect(isBelow(trace, statement, call)).toBe(true);
    // The receiver continues the trace below the attempt.
    expect(request.headers.traceparent).toBe(`00-${TRACE}-${delivery.spanId}-01`);
    // No span has what a person wrote, or a token.
    expect(JSON.stringify(trace)).not.toMatch(/Hello|Bearer/);
  });

  test('has a mail from its receipt to the event of its message', async ({
    connection,
    collector,
    spans,
  }) => {
    const inbound = await startInboundMail();
    await startTracing('server');
    const { workspaceId } = connection;
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
    await inbound.send({ to: address, raw: 'From: grace@acme.test\r\nSubject: Order\r\n\r\nHello\r\n' });
    await until(
      'the message is stored',
      async () => (await db().message.count({ where: { workspaceId } })) === 1,
    );
    // The span of the job ends after its transaction, and before the job is removed.
    await until('its job has ended', async () => {
      const jobs = await db().$queryRaw<unknown[]>`
        select from graphile_worker.jobs where task_identifier = 'receive-mail'`;
      return jobs.length === 0;
    });
    await inbound.stop();
    await stopTracing();
    const received = one(collector.spans, 'receive mail');
    expect(received.parentSpanId).toBeUndefined();
    const trace = await spans.of(received.traceId);
    expect(one(trace, 'process mail').parentSpanId).toBe(received.spanId);
    expect(isBelow(trace, one(trace, 'event message.received'), one(trace, 'process mail'))).toBe(true);
    // No span has an address or a text of the mail. (The name isn’t hexadecimal, as ids are.)
    expect(JSON.stringify(collector.spans)).not.toMatch(/acme\.test|grace|Order|Hello/);
  });
});

test('the platform’s hooks get only the headers of the contract', async ({
  service,
  connection,
  received,
}) => {
  await startTracing('server');
  await makeHook(connection, {
    targetUrl: `https://localhost/${connection.workspaceId}`,
    event: 'contact.created',
  });
  const response = await fetch(`${service.url}${API_PATH}/contacts`, {
    method: 'POST',
    headers: {
      ...CALLER,
      Authorization: `Bearer ${connection.accessToken}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ email: 'ada@example.com' }),
  });
  expect(response.status).toBe(201);
  const [request] = await received(1);
  expect(request.headers['x-service-event']).toBe('contact.created');
  expect(request.headers).not.toHaveProperty('traceparent');
});

test('a caller’s malformed traceparent starts a trace, and the call works', async ({
  service,
  collector,
}) => {
  await startTracing('server');
  for (const traceparent of [
    '',
    'x',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-zz`,
  ]) {
    const { status } = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: { traceparent },
    });
    expect(status).toBe(401);
  }
  await stopTracing();
  const calls = collector.spans.filter(({ name }) => name === 'POST token');
  expect(calls).toHaveLength(4);
  expect(calls.every(({ traceId, parentSpanId }) => traceId !== TRACE && parentSpanId === undefined)).toBe(
    true,
  );
});

test('a caller who asks not to be traced does not decide either', async ({ service, spans }) => {
  await startTracing('server');
  const headers = { traceparent: CALLER.traceparent.replace(/01$/, '00') };
  await fetch(`${service.url}/oauth/token`, { method: 'POST', headers });
  expect(one(await spans.of(TRACE), 'POST token').parentSpanId).toBe('00f067aa0ba902b7');
});

test('a statement outside of a request starts no trace', async ({ spans: _, collector }) => {
  await startTracing('worker');
  await db().user.count();
  await stopTracing();
  expect(collector.spans).toEqual([]);
});

/** Returns the only span of a name. */
function one(spans: ReceivedSpan[], name: string): ReceivedSpan {
  const [span, ...others] = spans.filter((each) => each.name === name);
  if (!span || others.length > 0)
    throw new Error(`${others.length + (span ? 1 : 0)} spans ${name} of ${spans.map((each) => each.name)}`);
  return span;
}

function isBelow(spans: ReceivedSpan[], span: ReceivedSpan, above: ReceivedSpan): boolean {
  for (
    let at: ReceivedSpan | undefined = span;
    at;
    at = spans.find(({ spanId }) => spanId === at?.parentSpanId)
  ) {
    if (at.parentSpanId === above.spanId) return true;
  }
  return false;
}
