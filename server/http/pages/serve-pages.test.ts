import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { RENDERS_MAX, VISITOR_RENDERS } from '#server/http/pages/limit-renders.ts';
import { SESSION_SLOTS } from '#server/http/request/session-slots.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';
import { auth } from '#server/teammates/auth.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';

let server: Server;
let render: PageRenderer;
let rendering = 0;
beforeEach(async () => {
  setTestSettings();
  rendering = 0;
  render = async (_req, res) => void res.end('page');
  server = createHttpServer((req, res, page) => render(req, res, page));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type Sent = { method?: string; path?: string; headers?: Record<string, string>; body?: string | null };
type Received = { status: number; headers: IncomingMessage['headers']; body: Buffer };

/** Starts a request. With a body of null, the client sends only the headers. */
function start({ method = 'GET', path = '/inbox', headers = {}, body = '' }: Sent) {
  const { port } = server.address() as AddressInfo;
  const client = request({ port, method, path, headers, agent: false });
  client.on('error', () => undefined);
  if (body === null) client.flushHeaders();
  else client.end(body);
  return client;
}

async function send(sent: Sent): Promise<Received> {
  const [response] = (await once(start(sent), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Returns the cookie of a session, signed like Better Auth signs it. */
async function cookieOf(token: string): Promise<string> {
  const { authCookies, secret } = await auth().$context;
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`;
}

const from = (address: string) => ({ 'x-forwarded-for': address });

/** Makes renders wait for a release of all. */
function holdRenders(): () => void {
  const held = Promise.withResolvers<void>();
  render = async (_req, res) => {
    rendering += 1;
    await held.promise;
    rendering -= 1;
    res.end('page');
  };
  return held.resolve;
}

test('the documentation is rendered once for each theme, and sent compressed and with an entity tag', async () => {
  let renders = 0;
  render = async (req, res) => {
    renders += 1;
    res.write(`<html data-theme="${/theme=(\w+)/.exec(req.headers.cookie ?? '')?.[1]}">`);
    res.end('<script nonce="one">start()</script><script src="/a.js" nonce="one"></script>');
  };
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => send({ path: `/docs?visit=${n}` })));
  expect(new Set(all.map(({ body }) => body.toString()))).toEqual(
    new Set(['<html data-theme="system"><script>start()</script><script src="/a.js"></script>']),
  );
  expect(renders).toBe(1);
  const dark = await send({
    path: '/docs',
    headers: { cookie: 'theme=dark; other=1', 'accept-encoding': 'gzip;q=0, br' },
  });
  expect(dark.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(dark.body).toString()).toContain('data-theme="dark"');
  expect(dark.headers.vary).toBe('Cookie, Accept-Encoding');
  await send({ path: '/docs', headers: { cookie: 'theme=dark' } });
  expect(renders).toBe(2);
  await send({ path: '/docs/developer', headers: { cookie: 'theme=dark' } });
  expect(renders).toBe(3);
  const known = await send({ path: '/docs', headers: { 'if-none-match': String(all[0]?.headers.etag) } });
  expect(known).toMatchObject({ status: 304, body: Buffer.alloc(0) });
});

test('the policy of the stored documentation allows its own inline scripts only', async () => {
  render = async (_req, res) => void res.end('<script nonce="one">start()</script>');
  const { headers } = await send({ path: '/docs' });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("script-src 'self' 'sha256-DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00='");
  expect(policy).not.toContain('nonce');
});

test('a failed render of the documentation is not stored', async () => {
  render = async (_req, res) => void res.writeHead(500).end('broken');
  expect(await send({ path: '/docs' })).toMatchObject({ status: 500 });
  render = async (_req, res) => void res.end('<p>fine</p>');
  expect(await send({ path: '/docs' })).toMatchObject({ status: 200, body: Buffer.from('<p>fine</p>') });
});

test('visitors wait for each other, and neither a teammate nor a file of the build waits for them', async () => {
  const release = holdRenders();
  const visitors = Array.from({ length: 10 }, (_, n) =>
    send({ path: '/sign-in', headers: from(`192.0.2.${n}`) }),
  );
  await until('the slots of visitors are in use', () => rendering === RENDERS_MAX.visitors);
  const teammate = send({ headers: { cookie: await cookieOf('teammate') } });
  const file = send({ path: '/_next/static/chunks/a.js' });
  await until('both others render', () => rendering === RENDERS_MAX.visitors + 2);
  release();
  const all = await Promise.all([...visitors, teammate, file]);
  expect(all.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test('a session renders few pages at once, others of it are refused, and other sessions are not affected', async () => {
  const release = holdRenders();
  const headers = { cookie: await cookieOf('one') };
  const pages = Array.from({ length: 50 }, () => send({ headers: { ...headers, rsc: '1' } }));
  const refused = await Promise.any(
    pages.map(async (page) => {
      const response = await page;
      if (response.status === 200) throw new Error('rendered');
      return response;
    }),
  );
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '5', 'content-type': 'text/plain' },
  });
  expect(refused.body.toString()).toBe(PAGE_REFUSALS.tooManyPages);
  expect(rendering).toBe(SESSION_SLOTS.max);
  const other = send({ headers: { cookie: await cookieOf('other') } });
  await until('another session renders', () => rendering === SESSION_SLOTS.max + 1);
  release();
  expect(await other).toMatchObject({ status: 200 });
  const statuses = (await Promise.all(pages)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(
    SESSION_SLOTS.max + SESSION_SLOTS.waitingMax,
  );
});

test('a page that a teammate left while it was rendered holds no slot', async () => {
  render = () => {
    rendering += 1;
    return new Promise(() => {});
  };
  const headers = { cookie: await cookieOf('one') };
  const left = Array.from({ length: SESSION_SLOTS.max }, () => start({ headers }));
  await until('all slots are in use', () => rendering === SESSION_SLOTS.max);
  for (const page of left) page.destroy();
  render = async (_req, res) => void res.end('page');
  expect(await send({ headers })).toMatchObject({ status: 200 });
});

test('an address without a session gets a page that loads again after its rate, whatever cookie it invents', async ({
  onTestFinished,
}) => {
  const { perSecond } = VISITOR_RENDERS;
  onTestFinished(() => {
    VISITOR_RENDERS.perSecond = perSecond;
  });
  // A busy machine sends no faster than the usual rate.
  VISITOR_RENDERS.perSecond = 0.2;
  const allowed = VISITOR_RENDERS.burst + VISITOR_RENDERS.perSecond * 10;
  const forged = { cookie: 'inbox.session_token=guess.c2lnbmF0dXJl', ...from('192.0.2.1') };
  const pages = Array.from({ length: allowed + 20 }, () => start({ path: '/sign-in', headers: forged }));
  const refused = await Promise.any(
    pages.map(async (page) => {
      const [response] = (await once(page, 'response')) as [IncomingMessage];
      if (response.statusCode === 200) throw new Error('rendered');
      return { status: response.statusCode, body: await text(response) };
    }),
  );
  expect(refused.status).toBe(429);
  expect(refused.body).toContain('<meta http-equiv="refresh" content="5">');
  expect(await send({ path: '/sign-in', headers: from('192.0.2.2') })).toMatchObject({ status: 200 });
  for (const page of pages) page.destroy();
});

test.each([
  ['from another site by its origin', { origin: 'https://other.test' }, 403, PAGE_REFUSALS.otherSite],
  [
    'from another site, when only the browser says so',
    { 'sec-fetch-site': 'cross-site' },
    403,
    PAGE_REFUSALS.otherSite,
  ],
  ['without a session', {}, 401, PAGE_REFUSALS.signedOut],
  [
    'with a forged session',
    { cookie: 'inbox.session_token=guess.c2lnbmF0dXJl' },
    401,
    PAGE_REFUSALS.signedOut,
  ],
])('a post %s is refused before its body arrives', async (_who, headers, status, sentence) => {
  const post = start({
    method: 'POST',
    headers: { 'content-length': '1000', 'next-action': 'a', ...headers } as Record<string, string>,
    body: null,
  });
  const [response] = (await once(post, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(status);
  expect(response.headers['content-type']).toBe('text/plain');
  expect(await text(response)).toBe(sentence);
  post.destroy();
});

test.each([
  ['of unknown length', { 'transfer-encoding': 'chunked' }, 411],
  ['over 1 MB', { 'content-length': String(1024 * 1024 + 1) }, 413],
])('a body %s is refused before it arrives', async (_what, headers, status) => {
  const cookie = await cookieOf('one');
  const post = start({
    method: 'POST',
    headers: { cookie, ...headers } as Record<string, string>,
    body: null,
  });
  const [response] = (await once(post, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(status);
  post.destroy();
});

test.each<[string, (req: IncomingMessage) => Promise<string>]>([
  ['iterates', (req) => text(req)],
  [
    'listens',
    async (req) => {
      let body = '';
      req.on('data', (chunk) => (body += chunk));
      await once(req, 'end');
      return body;
    },
  ],
])('the renderer reads exactly what was posted when it %s', async (_how, read) => {
  render = async (req, res) => void res.end(await read(req));
  const cookie = await cookieOf('one');
  for (const length of [0, 1, 70_000, 1024 * 1024]) {
    const body = 'ab'.repeat(length).slice(0, length);
    const headers = { cookie, 'content-length': String(length) };
    expect((await send({ method: 'POST', headers, body })).body.toString()).toBe(body);
  }
});

test('forms of public pages need no session', async () => {
  for (const path of ['/sign-in', '/invitation', '/rate/token', '/verify'])
    expect(await send({ method: 'POST', path, body: 'a' })).toMatchObject({ status: 200 });
});

test('unfinished posts of many addresses reserve a bounded amount of memory, and a finished one needs none', async () => {
  const headers = (n: number) => ({ 'content-length': '1000000', ...from(`192.0.2.${n}`) });
  const posts = Array.from({ length: 130 }, (_, n) =>
    start({ method: 'POST', path: '/sign-in', headers: headers(n), body: null }),
  );
  const [refused] = await Promise.any(
    posts.map((post) => once(post, 'response') as Promise<[IncomingMessage]>),
  );
  expect(refused.statusCode).toBe(503);
  expect(await send({ path: '/healthz' })).toMatchObject({ status: 200 });
  const { status } = await send({
    method: 'POST',
    path: '/sign-in',
    headers: from('192.0.2.200'),
    body: 'short',
  });
  expect(status).toBe(200);
  for (const post of posts) post.destroy();
  await until('their memory is free again', async () => {
    const full = 'x'.repeat(1_000_000);
    return (
      (await send({ method: 'POST', path: '/sign-in', headers: from('192.0.2.201'), body: full })).status ===
      200
    );
  });
});
