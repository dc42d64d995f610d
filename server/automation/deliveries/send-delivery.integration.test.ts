// Mostly waits
import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect } from 'vitest';
import { makeHookAgent } from '#server/automation/deliveries/hook-agent.ts';
import { sendDelivery } from '#server/automation/deliveries/send-delivery.ts';
import { settings } from '#server/core/env.ts';
import { test } from '#test/fixtures/receiver-test.ts';
import { timed } from '#test/fixtures/timed.ts';
import { MISBEHAVIOURS, misbehave } from '#test/servers/misbehaviours.ts';
import { startReceiver } from '#test/servers/receiver.ts';
import { PLATFORM } from '#test/servers/settings.ts';

describe('an attacker’s address outside the platform is not contacted, however it is written', () => {
  test.for([
    ['another host', 'https://evil.test/hook'],
    ['a host with the platform’s as prefix', `https://${PLATFORM.hooksHost}.evil.test/hook`],
    ['a host with the platform’s as suffix', `https://evil${PLATFORM.hooksHost}/hook`],
    ['a subdomain', `https://sub.${PLATFORM.hooksHost}/hook`],
    ['plain http', `http://${PLATFORM.hooksHost}/hook`],
    ['another scheme', `ftp://${PLATFORM.hooksHost}/hook`],
    ['user info', `https://user@${PLATFORM.hooksHost}/hook`],
    ['the host as user info of another', `https://${PLATFORM.hooksHost}@evil.test/hook`],
    ['the host as password of another', `https://u:${PLATFORM.hooksHost}@evil.test/hook`],
    ['another port', `https://${PLATFORM.hooksHost}:8443/hook`],
    ['the default port, explicit', `https://${PLATFORM.hooksHost}:443/hook`],
    ['an empty port', `https://${PLATFORM.hooksHost}:/hook`],
    ['a trailing dot', `https://${PLATFORM.hooksHost}./hook`],
    ['look-alike letters', 'https://hooks.plаtform.test/hook'],
    ['full-width letters that normalize to the host', 'https://ｈooks.platform.test/hook'],
    ['an encoded host', 'https://hooks%2Eplatform%2Etest/hook'],
    ['a soft hyphen inside', 'https://hooks.plat\u00adform.test/hook'],
    ['this machine', 'https://127.0.0.1/hook'],
    ['this machine as one number', 'https://2130706433/hook'],
    ['this machine over IPv6', 'https://[::1]/hook'],
    ['the cloud metadata address', 'https://169.254.169.254/latest/meta-data'],
    ['a back slash', `https://${PLATFORM.hooksHost}\\@evil.test/hook`],
    ['a tab inside', `https://${PLATFORM.hooksHost}\t.evil.test/hook`],
    ['a line break that starts a header', `https://${PLATFORM.hooksHost}/hook\r\nX: y`],
    ['no scheme', `//${PLATFORM.hooksHost}/hook`],
    ['no slashes', `https:${PLATFORM.hooksHost}/hook`],
  ] as const)('%s', async ([_what, targetUrl], { receiver }) => {
    const result = await attempt(targetUrl);
    expect(result).toEqual({
      kind: 'unreachable',
      error: `The address is not on ${PLATFORM.hooksHost} and was not contacted.`,
    });
    expect(receiver.received).toEqual([]);
  });

  test.for([
    ['the host in capitals', 'https://HOOKS.Platform.TEST/Hook', '/Hook'],
    ['a query', `https://${PLATFORM.hooksHost}/hook?a=b&c=%2F`, '/hook?a=b&c=%2F'],
    ['dots in its path', `https://${PLATFORM.hooksHost}/a/../hook`, '/hook'],
    ['no path', `https://${PLATFORM.hooksHost}`, '/'],
  ] as const)(
    'an address of the platform is contacted: %s',
    async ([_what, targetUrl, path], { receiver }) => {
      expect(await attempt(targetUrl)).toMatchObject({ kind: 'delivered' });
      expect(receiver.received.map((request) => request.path)).toEqual([path]);
    },
  );
});

describe('a redirect is not followed', () => {
  test.for([301, 302, 303, 307, 308])('%i', async (status, { receiver }) => {
    receiver.respond(() => ({ status, headers: { location: `https://${PLATFORM.hooksHost}/elsewhere` } }));
    expect(await attempt(HOOK)).toMatchObject({ kind: 'redirected', response: { statusCode: status } });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });
});

describe('nothing is sent to', () => {
  test('a receiver whose certificate no known authority signed', async ({ receiver, impostor }) => {
    const result = await attempt(HOOK, { HOOKS_CA_FILE: impostor.caFile });
    expect(result).toMatchObject({ kind: 'unreachable', error: expect.stringMatching(/CERT|certificate/i) });
    expect(receiver.received).toEqual([]);
  });

  test('a receiver with the certificate of another host', async ({ impostor }) => {
    const elsewhere = { HOOKS_CONNECT_TO: impostor.connectTo, HOOKS_CA_FILE: impostor.caFile };
    expect(await attempt(HOOK, elsewhere)).toMatchObject({
      kind: 'unreachable',
      error: expect.stringMatching(/ALTNAME/),
    });
    expect(impostor.received).toEqual([]);
  });

  test('a server without TLS', async () => {
    const plain = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    expect(await attempt(HOOK, { HOOKS_CONNECT_TO: plain.address })).toMatchObject({ kind: 'unreachable' });
    plain.stop();
  });
});

describe('a failure is returned as data', () => {
  test('nothing listens', async () => {
    const gone = await listen(() => undefined);
    gone.stop();
    const result = await attempt(HOOK, { HOOKS_CONNECT_TO: gone.address });
    expect(result).toMatchObject({ kind: 'unreachable', error: expect.stringMatching(/^ECONNREFUSED/) });
  });

  test('the connection breaks', async ({ receiver }) => {
    receiver.respond(() => 'break off');
    expect(await attempt(HOOK)).toMatchObject({ kind: 'unreachable' });
  });

  test('no connection in time, no response in time, a response that never ends', async ({ receiver }) => {
    const silent = await listen(() => undefined);
    const endless = await startReceiver(PLATFORM.hooksHost);
    endless.respond(() => 'never ends');
    // Control: an attempt without a wait, as a busy machine slows all attempts.
    const control = await timed(() => attempt(HOOK));
    expect(control.result).toMatchObject({ kind: 'delivered' });
    const slack = 4_000 + 3 * control.ms;
    receiver.respond(() => 'hang');
    const timedAttempt = (changed: Partial<ReturnType<typeof settings>>) =>
      timed(() => attempt(HOOK, changed));
    const [connecting, answering, ending] = await Promise.all([
      timedAttempt({ HOOKS_CONNECT_TO: silent.address }),
      timedAttempt({}),
      timedAttempt({ HOOKS_CONNECT_TO: endless.connectTo, HOOKS_CA_FILE: endless.caFile }),
    ]);
    expect(connecting.result).toEqual({ kind: 'timed_out', error: 'No connection within 5 seconds.' });
    expect(connecting.ms).toBeLessThan(5_000 + slack);
    expect(answering.result).toEqual({ kind: 'timed_out', error: 'No response within 15 seconds.' });
    expect(answering.ms).toBeLessThan(15_000 + slack);
    // The status decides. The body is read until the attempt times out.
    expect(ending.result).toMatchObject({ kind: 'delivered', response: { excerpt: 'well, ' } });
    expect(ending.ms).toBeLessThan(15_000 + slack);
    silent.stop();
    await endless.stop();
  });

  // `npm run drill -- receivers` measures what they cost the worker and other hooks.
  test('a receiver that is slow, disconnects, sends wrong lengths or never stops sending', async ({
    receiver,
  }) => {
    receiver.respond(
      ({ path }) =>
        (res) =>
          void misbehave(path, res),
    );
    const kinds = await Promise.all(
      Object.keys(MISBEHAVIOURS).map(async (name) => {
        const result = await attempt(`https://${PLATFORM.hooksHost}/${name}/hook`);
        return [name, result?.kind];
      }),
    );
    const expected = Object.entries(MISBEHAVIOURS).map(([name, { outcome }]) => [name, outcome]);
    expect(kinds).toEqual(expected);
  });

  test('only the start of a long response is read', async ({ receiver }) => {
    receiver.respond(() => ({ status: 500, body: 'x'.repeat(20_000_000) }));
    const result = await attempt(HOOK);
    expect(result).toMatchObject({ kind: 'failed', response: { excerpt: 'x'.repeat(2_000) } });
  });
});

async function listen(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    address: `127.0.0.1:${port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const EVENT = { eventId: 'e1', eventKey: 'conversation.created', body: '{"id":"e1"}' } as const;

function agentWith(changed: Partial<ReturnType<typeof settings>>) {
  const usual = { ...settings() };
  Object.assign(settings(), changed);
  const agent = makeHookAgent();
  Object.assign(settings(), usual);
  return agent;
}

async function attempt(targetUrl: string, changed: Partial<ReturnType<typeof settings>> = {}) {
  const agent = agentWith(changed);
  try {
    return await sendDelivery(agent, { ...EVENT, targetUrl }, PLATFORM.hooksHost);
  } finally {
    await agent.destroy();
  }
}

const HOOK = `https://${PLATFORM.hooksHost}/hook`;
