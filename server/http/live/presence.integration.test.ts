import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { flushPublished, publishDraft } from '#server/core/live/publish.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/two-servers-test.ts';
import { until } from '#test/fixtures/until.ts';

afterEach(() => {
  for (const response of open.splice(0)) response.destroy();
});

describe('a teammate sees', () => {
  test('on another server what a colleague opens and where they type', async ({ servers }) => {
    const { ada, ben } = await makeTeam(servers);
    const conversationId = randomUUID();
    await ada.report({ conversationId });
    await until('Ben sees Ada', () => ben.sees(ada)?.includes(`${conversationId} viewing`));
    await ada.report({ conversationId, isTyping: true });
    await until('Ben sees that Ada types', () => ben.sees(ada)?.includes(`${conversationId} typing`));
    await ada.report({ conversationId });
    await until('Ada no longer types', () => ben.sees(ada)?.includes(`${conversationId} viewing`));
    expect(ada.sees(ada)).toBeUndefined();
  });

  test('what a colleague reports to another server than the one with their stream', async ({ servers }) => {
    const { ada, ben } = await makeTeam(servers);
    const conversationId = randomUUID();
    await ada.report({ conversationId }, ben.url);
    await until('Ben sees Ada', () => ben.sees(ada)?.includes(`${conversationId} viewing`));
  });

  test('what was opened before their page', async ({ servers }) => {
    const { ada, ben } = await makeTeam(servers);
    const conversationId = randomUUID();
    await ada.report({ conversationId });
    await until('Ben sees Ada', () => ben.sees(ada));
    const second = await ben.openAgain();
    await until('the new page sees Ada', () => second.sees(ada)?.includes(`${conversationId} viewing`));
  });

  test('that a colleague closed their tab', async ({ servers }) => {
    const { ada, ben } = await makeTeam(servers);
    await ada.report({ conversationId: randomUUID(), isTyping: true });
    await until('Ben sees Ada', () => ben.sees(ada));
    ada.close();
    await until('Ada has left', () => ben.sees(ada) === undefined);
  });

  test('both conversations of a colleague with two tabs, until the second one is closed', async ({
    servers,
  }) => {
    const { ada, ben } = await makeTeam(servers);
    const [first, other] = [randomUUID(), randomUUID()];
    const second = await ada.openAgain();
    await ada.report({ conversationId: first });
    await second.report({ conversationId: other });
    await until('Ben sees both', () => ben.sees(ada)?.length === 2);
    second.close();
    await until('Ben sees the first', () => ben.sees(ada)?.join() === `${first} viewing`);
  });
});

test('a page learns of more text in the draft that it has open, if a colleague wrote it and its teammate sees it', async ({
  servers,
}) => {
  const { ada, ben, workspaceId } = await makeTeam(servers);
  const { id: conversationId } = await db().conversation.create({ data: { workspaceId, channel: 'email' } });
  const write = async (authorId: string) => {
    publishDraft({ workspaceId, conversationId, authorId });
    await flushPublished();
  };
  const learns = (page: Page) => page.text().includes('data: draft');
  const elsewhere = await ben.openAgain();
  await elsewhere.report({ conversationId: randomUUID() });
  await ada.report({ conversationId });
  await until('Ben sees Ada', () => ben.sees(ada));
  await ben.report({ conversationId });
  await until('Ada sees Ben', () => ada.sees(ben)?.includes(`${conversationId} viewing`));
  await write(ada.userId);
  await until('Ben learns of it', () => learns(ben));
  expect([ada, elsewhere].map(learns)).toEqual([false, false]);

  await db().member.updateMany({ where: { userId: ada.userId }, data: { onlyAssigned: true } });
  const limited = await ada.openAgain();
  await limited.report({ conversationId });
  await until('Ben sees Ada', () => ben.sees(ada)?.includes(`${conversationId} viewing`));
  await write(ben.userId);
  const marker = randomUUID();
  await ben.report({ conversationId: marker });
  await until('Ben has moved on', () => ada.sees(ben)?.includes(`${marker} viewing`));
  expect(learns(limited)).toBe(false);
});

describe('an attacker cannot', () => {
  test('see who is present in another workspace', async ({ servers }) => {
    const [{ ada, ben }, others] = [await makeTeam(servers), await makeTeam(servers)];
    const conversationId = randomUUID();
    await ada.report({ conversationId });
    await others.ada.report({ conversationId });
    await until('Ben sees Ada', () => ben.sees(ada));
    await until('the other Ben sees the other Ada', () => others.ben.sees(others.ada));
    expect(others.ben.text()).not.toContain(ada.userId);
    expect(ben.text()).not.toContain(others.ada.userId);
  });

  test('report for the page of another session', async ({ servers }) => {
    const { ada, ben } = await makeTeam(servers);
    const forged = randomUUID();
    expect(await ben.report({ conversationId: forged, page: ada.page })).toBe(204);
    const conversationId = randomUUID();
    await ada.report({ conversationId });
    await until('Ben sees Ada', () => ben.sees(ada));
    expect(ben.text()).not.toContain(forged);
    expect(ada.text()).not.toContain(forged);
  });

  test('report without a session, from another site, or in another form', async ({ servers }) => {
    const { ada } = await makeTeam(servers);
    const conversationId = randomUUID();
    const post = async (headers: Record<string, string>, body: string) =>
      (await fetch(`${ada.url}/live`, { method: 'POST', headers, body })).status;
    const body = JSON.stringify({ page: ada.page, conversationId, isTyping: false });
    expect(await post({}, body)).toBe(401);
    expect(await post({ cookie: ada.cookie, 'sec-fetch-site': 'cross-site' }, body)).toBe(403);
    expect(await post({ cookie: ada.cookie }, '{"page":"x"}')).toBe(422);
    expect(await post({ cookie: ada.cookie }, 'no JSON')).toBe(422);
  });

  test('report without limit', async ({ servers }) => {
    const { ada } = await makeTeam(servers);
    const statuses = new Set<number>();
    for (let i = 0; i < 300 && !statuses.has(429); i += 1) {
      statuses.add(await ada.report({ conversationId: null }));
    }
    expect([...statuses]).toEqual([204, 429]);
  });
});

const open: IncomingMessage[] = [];

type Report = { conversationId: string | null; isTyping?: boolean; page?: string };

type Page = {
  url: string;
  userId: string;
  cookie: string;
  page: string;
  text: () => string;
  close: () => void;
  openAgain: () => Promise<Page>;
  /** Returns what a teammate has open, as the page last received it. */
  sees: (teammate: { userId: string }) => string[] | undefined;
  /** Returns the status of the response. */
  report: (input: Report, to?: string) => Promise<number>;
};

/** Creates a workspace with two signed-in teammates, each with a page on another server. */
async function makeTeam([first = '', second = '']: string[]) {
  const workspaceId = (await makeWorkspace()).id;
  const join = async (url: string) => {
    const user = await makeUser();
    await addMember(workspaceId, user.id, 'agent');
    return openPage(url, user.id, await signInAs(url, user));
  };
  return { workspaceId, ada: await join(first), ben: await join(second) };
}

/** Opens the stream of a page. */
async function openPage(url: string, userId: string, cookie: string): Promise<Page> {
  const page = randomUUID();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/live?page=${page}`, { headers: { cookie }, agent: false }, resolve).on('error', reject);
  });
  open.push(response);
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => undefined);
  await until('the stream is open', () => text.includes('event: presence'));
  return {
    url,
    userId,
    cookie,
    page,
    text: () => text,
    close: () => void response.destroy(),
    openAgain: () => openPage(url, userId, cookie),
    sees: (teammate) => presentIn(text).get(teammate.userId),
    report: async (input, to = url) => {
      const body = JSON.stringify({ page, isTyping: false, ...input });
      return (await fetch(`${to}/live`, { method: 'POST', headers: { cookie }, body })).status;
    },
  };
}

type PresenceEvent = {
  isComplete: boolean;
  teammates: { userId: string; open: { conversationId: string; isTyping: boolean }[] }[];
};

/** Applies the complete events of a stream as a page does. */
function presentIn(text: string): Map<string, string[]> {
  const present = new Map<string, string[]>();
  for (const [, data = ''] of text.matchAll(/event: presence\ndata: (.*)\n\n/g)) {
    const { isComplete, teammates } = JSON.parse(data) as PresenceEvent;
    if (isComplete) present.clear();
    for (const teammate of teammates) {
      const entries = teammate.open.map(
        ({ conversationId, isTyping }) => `${conversationId} ${isTyping ? 'typing' : 'viewing'}`,
      );
      if (entries.length > 0) present.set(teammate.userId, entries);
      else present.delete(teammate.userId);
    }
  }
  return present;
}
