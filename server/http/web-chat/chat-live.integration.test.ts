import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect } from 'vitest';
import { newAddress } from '#test/clients/sign-in.ts';
import { test } from '#test/fixtures/chat-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startServerProcess } from '#test/servers/service-processes.ts';

describe('the live stream of a visitor', () => {
  afterEach(() => {
    for (const response of open) response.destroy();
    open.clear();
  });

  test('reports a reply immediately, from any server, and only of this conversation', async ({
    service,
    makeWriter,
    reply,
  }) => {
    const [ada, eve] = [await makeWriter({ name: 'Ada' }), await makeWriter({ name: 'Eve' })];
    const elsewhere = await startServerProcess();
    const streams = [await listen(service.url, ada.token), await listen(elsewhere.url, ada.token)];
    const strangers = await listen(service.url, eve.token);
    await reply(ada.id, 'Here I am');
    for (const stream of streams) await until('the reply is reported', () => countChanges(stream) > 0);
    await reply(eve.id, 'And here');
    await until('the other reply is reported', () => countChanges(strangers) > 0);
    expect(countChanges(strangers)).toBe(1);
    expect(strangers.text).not.toMatch(/Here|[0-9a-f]{8}-/);
    expect(await elsewhere.stop()).toBe(0);
  });

  test('follows a merge into another conversation', async ({ service, makeWriter, reply, merge }) => {
    const [phone, laptop] = [await makeWriter(), await makeWriter()];
    const stream = await listen(service.url, phone.token);
    await merge(phone.id, laptop.id);
    await until('the merge is reported', () => countChanges(stream) === 1);
    await until('the reply there is reported', async () => {
      await reply(laptop.id, 'After');
      return countChanges(stream) > 1;
    });
  });

  test('is open on five pages; a sixth ends the oldest', async ({ service, makeWriter }) => {
    const { token } = await makeWriter();
    const first = await listen(service.url, token);
    for (let i = 0; i < 5; i += 1) await listen(service.url, token);
    await until('the oldest ends', () => first.ended);
    expect(first.text).toContain('event: enough');
  });
});

const open = new Set<IncomingMessage>();

async function listen(url: string, token: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': newAddress() };
    get(`${url}/api/chat/live`, { headers, agent: false }, resolve).on('error', reject);
  });
  open.add(response);
  const stream = { status: response.statusCode, text: '', ended: false };
  response.setEncoding('utf8').on('data', (text: string) => {
    stream.text += text;
  });
  response.on('close', () => {
    stream.ended = true;
  });
  response.on('error', () => undefined);
  await until('the stream starts', () => stream.text.includes('retry:') || stream.ended);
  return stream;
}

const countChanges = ({ text }: { text: string }) => text.match(/event: changed/g)?.length ?? 0;
