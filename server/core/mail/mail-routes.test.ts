import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookUpMailRoutes, type MailResolver } from '#server/core/mail/mail-routes.ts';
import { setTestSettings } from '#test/servers/settings.ts';

type Records = Record<string, [priority: number, exchange: string][]>;

const ADDRESSES: Record<string, string[]> = { 'inbox.test': ['192.0.2.1'], 'mx.alias.test': ['192.0.2.1'] };

beforeEach(() => setTestSettings());
afterEach(() => {
  vi.useRealTimers();
});

/** A resolver with these MX records, and the addresses of `ADDRESSES`. */
function resolverWith(records: Records): MailResolver {
  const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  return {
    resolveMx: (name) => {
      const found = records[name];
      if (!found) return fail(name.startsWith('broken') ? 'ESERVFAIL' : 'ENOTFOUND');
      return Promise.resolve(found.map(([priority, exchange]) => ({ priority, exchange })));
    },
    resolve4: ((name: string) => {
      const found = ADDRESSES[name];
      return found ? Promise.resolve(found) : fail('ENOTFOUND');
    }) as MailResolver['resolve4'],
    resolve6: (() => fail('ENODATA')) as MailResolver['resolve6'],
    cancel: () => undefined,
  };
}

test.for([
  ['its name', [[10, 'Inbox.TEST.']], 'here', ['inbox.test']],
  ['another name of its address', [[10, 'mx.alias.test']], 'here', ['mx.alias.test']],
  ['another server', [[10, 'mx.google.test']], 'elsewhere', ['mx.google.test']],
  [
    'another server first',
    [
      [20, 'inbox.test'],
      [10, 'mx.google.test'],
    ],
    'elsewhere',
    ['mx.google.test', 'inbox.test'],
  ],
  ['no server, as its owner says', [[0, '']], 'none', []],
  ['no server', undefined, 'none', []],
] as const)('a domain whose MX records name %s', async ([_name, records, state, servers]) => {
  const input: Records = records ? { 'a.test': records.map(([priority, name]) => [priority, name]) } : {};
  const routes = await lookUpMailRoutes(resolverWith(input), { domains: ['a.test'], host: 'inbox.test' });
  expect(routes.get('a.test')).toEqual({ state, servers });
});

test('at most five mail servers are looked at', async () => {
  const many: Records = { 'a.test': Array.from({ length: 50 }, (_, n) => [n, `mx${n}.test`]) };
  const routes = await lookUpMailRoutes(resolverWith(many), { domains: ['a.test'], host: 'inbox.test' });
  expect(routes.get('a.test')?.servers).toHaveLength(5);
});

test('name servers that fail or never answer delay nothing for long, and the others are shown', async () => {
  vi.useFakeTimers();
  const resolver = resolverWith({ 'a.test': [[10, 'inbox.test']] });
  const silent = Promise.withResolvers<never>();
  const routes = lookUpMailRoutes(
    {
      ...resolver,
      resolveMx: (name) => (name === 'silent.test' ? silent.promise : resolver.resolveMx(name)),
      cancel: () => silent.reject(Object.assign(new Error('cancelled'), { code: 'ECANCELLED' })),
    },
    { domains: ['a.test', 'silent.test', 'broken.test'], host: 'inbox.test' },
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(Object.fromEntries(await routes)).toEqual({
    'a.test': { state: 'here', servers: ['inbox.test'] },
    'silent.test': { state: 'unknown', servers: [] },
    'broken.test': { state: 'unknown', servers: [] },
  });
});
