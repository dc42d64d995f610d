import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { liveMessage } from '#server/core/live/listen.ts';
import { flushPublished, publish } from '#server/core/live/publish.ts';
import { listRoutes, type RouteServices } from '#server/http/routes.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { limitMailbox, makeHiddenConversations, SECRET } from '#test/fixtures/limited-view.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

const test = serviceTest.extend('stage', { scope: 'file' }, async ({ service: { url } }) => {
  const teammates = await makeTeammates();
  const { workspaceId, agent, admin } = teammates;
  const hidden = await makeHiddenConversations(teammates);
  await limitMailbox(workspaceId, hidden.mailbox);
  return { hidden, url, workspaceId, agent: await signInAs(url, agent), admin: await signInAs(url, admin) };
});

/** How each route reaches conversations. A route without a line fails the first test. */
const ROADS: Record<string, 'tested here' | 'tested by who-sees-what' | { because: string }> = {
  'procedures of open pages': 'tested by who-sees-what',
  pages: 'tested by who-sees-what',
  files: 'tested here',
  'original mail': 'tested here',
  'live pages': 'tested here',
  'developer API on its host': {
    because: 'A program reads all of a workspace. Owners and admins create its token.',
  },
  API: { because: 'A workflow acts as an owner or admin, who see all.' },
  'developer API': { because: 'A program reads all of a workspace. Owners and admins create its token.' },
  'files of the developer API': { because: 'A program uploads its own files.' },
  MCP: { because: 'A program reads all of a workspace. Owners and admins create its token.' },
  'MCP metadata': { because: 'It is the same for everyone.' },
  'wrongly encoded path': { because: 'It refuses every request.' },
  token: { because: 'Only owners and admins connect a platform.' },
  revoke: { because: 'Only owners and admins connect a platform.' },
  'consent page': { because: 'Only owners and admins connect a platform.' },
  'OAuth metadata': { because: 'It is the same for everyone.' },
  'sign-in': { because: 'It is about the session.' },
  'start of single sign-on': { because: 'It is about the session.' },
  'callback of single sign-on': { because: 'It is about the session.' },
  'web chat': { because: 'A visitor sees only their own conversation.' },
  'posted mail': { because: 'A mail server posts to it, and reads nothing.' },
  webhooks: { because: 'A provider posts to it, and reads nothing.' },
  'data of a contact': { because: 'Only owners and admins download it.' },
  'export of a workspace': { because: 'Only owners download it.' },
  'audit log': { because: 'Only owners and admins read it.' },
  report: { because: 'Only owners and admins read it.' },
  'pictures that are not sent yet': {
    because:
      'A teammate gets the signature in an address with their upload, a draft or a pending reply that they see.',
  },
  upload: { because: 'A teammate uploads their own file.' },
  'unsubscribe page': { because: 'A mailed link opens it.' },
  'unknown path of an API': { because: 'It refuses every request.' },
  liveness: { because: 'It is the same for everyone.' },
  readiness: { because: 'It is the same for everyone.' },
  'script of the web chat': { because: 'It is the same for everyone.' },
  'files of the installed app': { because: 'They are the same for everyone.' },
  'share without the service worker': { because: 'It is the same for everyone, and reads no body.' },
  'renewed push subscription': { because: 'It changes what belongs to the teammate.' },
  'resized images': { because: 'It refuses every request.' },
};

/** What each kind of live message sends to the stream of a teammate. A kind that is not listed fails the second test. */
const LIVE: Record<string, string> = {
  workspaceId: 'It chooses the streams.',
  topic: 'A word for what changed, which names no conversation.',
  sessionId: 'Nothing. It ends streams.',
  conversationId: 'Nothing. It is for visitors of the web chat.',
  draft: 'A word, for those who see the conversation and have it open (presence.integration.test.ts).',
  presence: 'Conversations that others have open, if the teammate sees them. Tested here.',
  presenceReport: 'What becomes of it as presence.',
  presenceRequest: 'Nothing. It is for servers.',
};

test('every route is tested, or reaches no conversation of a teammate who may not see it', () => {
  const routes = listRoutes({ apiHost: 'api.test' } as RouteServices);
  expect(Object.keys(ROADS).toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
});

test('every live message reaches only those who see its conversation, or names none', () => {
  const keys = liveMessage.options.flatMap(({ shape }) => Object.keys(shape));
  expect(Object.keys(LIVE).toSorted()).toEqual([...new Set(keys)].toSorted());
});

describe('a teammate cannot read of a conversation that they do not see', () => {
  test.for<[string, (hidden: Awaited<ReturnType<typeof makeHiddenConversations>>) => string]>([
    ['a file', ({ attachment }) => `/attachments/${attachment}`],
    ['a file of a note', ({ noteFile }) => `/attachments/${noteFile}`],
    ['an email', ({ message }) => `/mails/${message}`],
    ['an original email', ({ message }) => `/mails/${message}/original`],
  ])('%s', async ([what, pathOf], { stage: { url, hidden, agent, admin } }) => {
    const read = async (cookie: string, path: string) => {
      const response = await fetch(`${url}${path}`, { headers: { cookie } });
      return { status: response.status, body: await response.text() };
    };
    const path = pathOf(hidden);
    const refused = await read(agent, path);
    expect(refused.body).not.toContain(SECRET);
    const unknown = pathOf({
      ...hidden,
      attachment: randomUUID(),
      noteFile: randomUUID(),
      message: randomUUID(),
    });
    expect(refused).toEqual(await read(agent, unknown));
    expect(refused.status).toBe(404);
    if (what !== 'an original email') expect((await read(admin, path)).body).toContain(SECRET);
  });

  test('its page, whose answer is that of an unknown address', async ({
    stage: { url, hidden, agent, workspaceId },
  }) => {
    const procedure = async (id: string) => {
      const input = encodeURIComponent(JSON.stringify({ json: { id } }));
      const headers = { cookie: agent, 'x-workspace-id': workspaceId };
      const response = await fetch(`${url}/api/screens/conversations.readers?input=${input}`, { headers });
      return { status: response.status, body: (await response.text()).replaceAll(id, 'id') };
    };
    expect(await procedure(hidden.conversation)).toEqual(await procedure(randomUUID()));
  });
});

test('a teammate does not learn who has a conversation open that they do not see', async ({
  stage: { url, hidden, agent, admin },
}) => {
  const page = randomUUID();
  const own = await openStream(url, admin, page);
  const limited = await openStream(url, agent);
  const report = (conversationId: string) =>
    fetch(`${url}/live`, {
      method: 'POST',
      headers: { cookie: admin },
      body: JSON.stringify({ page, conversationId, isTyping: false }),
    });
  await report(hidden.conversation);
  await report(hidden.open);
  await flushPublished();
  await until('the agent hears of the open conversation', () => limited.text().includes(hidden.open));
  expect(limited.text()).not.toContain(hidden.conversation);
  // A page that connects later gets the complete state.
  await report(hidden.conversation);
  await flushPublished();
  const viewing = await openStream(url, agent);
  await report(hidden.open);
  await until('the new page hears of it', () => viewing.text().includes(hidden.open));
  expect(viewing.text()).not.toContain(hidden.conversation);
  // Once the limit is gone, the same streams get everything.
  await db().limitedSource.deleteMany();
  const { workspaceId } = await db().conversation.findUniqueOrThrow({ where: { id: hidden.open } });
  publish(workspaceId, 'access');
  await until('the page is told to drop what it shows', () => limited.text().includes('data: access'));
  await until('the agent hears of it', async () => {
    await report(hidden.open);
    await report(hidden.conversation);
    return limited.text().includes(hidden.conversation);
  });
  for (const { close } of [own, limited, viewing]) close();
});

async function openStream(url: string, cookie: string, page = randomUUID()) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/live?page=${page}`, { headers: { cookie }, agent: false }, resolve).on('error', reject);
  });
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => undefined);
  await until('the stream is open', () => text.includes('event: presence'));
  return { text: () => text, close: () => void response.destroy() };
}
