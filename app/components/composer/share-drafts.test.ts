import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DraftRequest, shareDrafts } from '#app/components/composer/share-drafts.ts';
import { createComposerStore, draftFile, draftKey } from '#app/components/drafts/composer-store.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { ComposerView, DraftView } from '#server/screens/inbox/composer-views.ts';
import { joinWritten } from '#server/screens/inbox/formatted-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NOTHING = { formatted: null, answers: null, copies: null, files: [], savedReplyIds: [] };
const TOM = { name: 'Tom', address: 'tom@example.com', isMerged: true };
const UPLOADED = { id: 'f1', name: 'order.txt', sizeBytes: 9, contentType: 'text/plain', signature: 's' };

test('a reply is stored while it is written, with one request at a time, and a colleague sees it', async () => {
  const server = openServer();
  const [ada, ben] = [server.openPage('ada'), server.openPage('ben')];
  ada.type('H');
  ada.type('He');
  expect(server.requests).toBe(0);
  const release = server.hold();
  await vi.advanceTimersByTimeAsync(1_500);
  ada.type('Hello');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.requests).toBe(1);
  release();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(server.draft()).toMatchObject({ version: 2, content: 'Hello', author: { id: 'ada' } });
  ben.refetch();
  expect(ben.text()).toBe('Hello');
  expect(ben.shared()).toMatchObject({ version: 2, by: { author: { name: 'ada' } }, newer: null });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.requests).toBe(2);
});

test('a colleague continues the text, files and recipients, also those that were chosen against the suggestion', async () => {
  const server = openServer();
  const [ada, ben] = [server.openPage('ada'), server.openPage('ben')];
  ada.composer.edit(ada.key, () => ({
    text: 'Hello',
    files: [draftFile(UPLOADED), { ...draftFile(UPLOADED), key: 'f2', uploaded: null }],
    answers: { address: null, suggested: 'bob@example.com' },
    copies: {
      suggested: null,
      copies: { shown: 'cc', cc: { addresses: ['carol@example.com'], typed: '' }, bcc: empty() },
    },
  }));
  await vi.runAllTimersAsync();
  ben.refetch();
  expect(ben.composer.get(ben.key)).toMatchObject({
    text: 'Hello',
    files: [draftFile(UPLOADED)],
    answers: { address: null },
    copies: { copies: { cc: { addresses: ['carol@example.com'] } } },
  });
  ben.type('Hello Nora');
  await vi.runAllTimersAsync();
  ada.refetch();
  expect(ada.composer.get(ada.key).files.map(({ key }) => key)).toEqual(['f1', 'f2']);
  expect(ada.text()).toBe('Hello Nora');
});

test('a draft stays for whoever was suggested when it was begun, and the next one is for whoever is suggested then', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type('For Nora');
  ada.refetch();
  await vi.runAllTimersAsync();
  const ben = server.openPage('ben');
  for (const page of [ada, ben]) {
    page.refetch(server.draft(), TOM);
    expect(page.composer.get(page.key).answers).toMatchObject({ address: null });
  }

  ada.composer.confirm(ada.key, ada.composer.take(ada.key, []));
  server.clear(1);
  ada.refetch(server.draft(), TOM);
  expect(ada.composer.get(ada.key).answers).toBeNull();
  ada.type('For Tom');
  ada.refetch(server.draft(), TOM);
  ada.refetch(server.draft(), null);
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'For Tom', answers: TOM.address });
});

test('an author who was chosen for an empty box is forgotten when another one is suggested before a text is begun', () => {
  const server = openServer();
  const ada = server.openPage('ada');
  const choose = (address: string, suggested: string | null) =>
    ada.composer.edit(ada.key, () => ({ answers: { address, suggested } }));
  choose('carol@example.com', TOM.address);
  ada.type('Hello');
  ada.refetch(null, TOM);
  expect(ada.composer.get(ada.key).answers).toMatchObject({ address: 'carol@example.com' });
  ada.type('');
  ada.type('Hello');
  ada.refetch(null, null);
  expect(ada.composer.get(ada.key).answers).toMatchObject({ address: null });
});

test.each([
  ['mine', 'From Ben', ['f1']],
  ['theirs', 'From Ada', []],
  ['both', 'From Ada\n\nFrom Ben', ['f1']],
] as const)(
  'of two teammates who write at the same time the second one chooses: %s',
  async (choice, text, files) => {
    const server = openServer();
    const [ada, ben] = [server.openPage('ada'), server.openPage('ben')];
    ada.type('From Ada');
    ben.composer.edit(ben.key, () => ({ text: 'From Ben', files: [draftFile(UPLOADED)] }));
    await vi.runAllTimersAsync();
    expect(server.draft()).toMatchObject({ content: 'From Ada' });
    expect(ben.text()).toBe('From Ben');
    expect(ben.shared()?.newer).toMatchObject({ content: 'From Ada', version: 1 });
    ben.composer.edit(ben.key, (draft) => draft);
    await vi.runAllTimersAsync();
    expect(server.draft()).toMatchObject({ content: 'From Ada', version: 1 });
    ben.resolve(choice);
    await vi.runAllTimersAsync();
    expect(ben.shared()?.newer).toBeNull();
    expect(server.draft()).toMatchObject({ content: text, files: files.map(() => UPLOADED) });
    expect(ben.text()).toBe(text);
    ada.refetch();
    expect(ada.text()).toBe(text);
  },
);

test('an older version, as a response that was overtaken, changes nothing', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type('One');
  await vi.runAllTimersAsync();
  const old = server.draft();
  ada.type('Two');
  await vi.runAllTimersAsync();
  ada.refetch(old);
  ada.refetch(null);
  expect(ada.text()).toBe('Two');
});

test('a version that arrives before the response to the request that stored it is no conflict', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type('One');
  const release = server.hold();
  await vi.advanceTimersByTimeAsync(1_500);
  ada.type('One and more');
  ada.refetch();
  release();
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'One and more', version: 2 });
  expect(ada.shared()).toMatchObject({ version: 2, newer: null });
});

test('text that is written during an outage is stored when the service is back, once, although a response was lost', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  server.isLost = true;
  ada.type('Offline');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.requests).toBeGreaterThan(1);
  expect(ada.stored()).toBe('0+');
  server.isLost = false;
  ada.refetch();
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'Offline', version: 1 });
  expect(ada.shared()).toMatchObject({ version: 1, newer: null });
  expect(ada.stored()).toBe('1');
});

test('text that was not stored before the page was closed is stored when the conversation is opened again', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type('One');
  await vi.runAllTimersAsync();
  server.isLost = true;
  ada.type('One and two');
  await vi.advanceTimersByTimeAsync(1_500);
  ada.close();
  server.isLost = false;
  ada.composer.addSavedReplyId(ada.key, 'greeting');
  const again = server.openPage('ada', ada.storage);
  again.refetch();
  expect(again.text()).toBe('One and two');
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'One and two', savedReplyIds: ['greeting'] });
});

test('text of a browser that shared no drafts stays in it until it is changed', async () => {
  const server = openServer();
  const storage = makeStorage();
  createComposerStore(storage, null).restore(
    draftKey({ userId: 'ada', conversationId: 'order', kind: 'reply' }),
    {
      text: 'From before',
      formatted: null,
      enclosed: { cc: [], bcc: [], files: [], savedReplyIds: [] },
    },
  );
  const ada = server.openPage('ada', storage);
  ada.refetch();
  await vi.runAllTimersAsync();
  expect([ada.text(), server.draft()]).toEqual(['From before', null]);
  ada.type('From before, and now');
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'From before, and now' });
});

test('a draft that a colleague has sent leaves the box, but not what was written since', async () => {
  const server = openServer();
  const [ada, ben, cy] = ['ada', 'ben', 'cy'].map((name) => server.openPage(name));
  if (!ada || !ben || !cy) throw new Error('All are open.');
  ada.type('Done');
  await vi.runAllTimersAsync();
  for (const page of [ben, cy]) page.refetch();
  cy.type('Done. Anything else?');
  server.clear(1);
  for (const page of [ada, ben, cy]) page.refetch();
  expect([ada.text(), ben.text(), cy.text()]).toEqual(['', '', 'Done. Anything else?']);
  expect(ada.storage.length).toBe(0);
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'Done. Anything else?', version: 3 });
});

test('a reply is sent as the version that the server has, after a request in flight', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type('Done');
  const release = server.hold();
  await vi.advanceTimersByTimeAsync(1_500);
  const shared = ada.shared();
  const taken = ada.composer.take(ada.key, []);
  release();
  expect(await shared?.saving).toBe(1);
  await vi.runOnlyPendingTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'Done', version: 1 });
  server.clear(1);
  ada.composer.confirm(ada.key, taken);
  ada.refetch();
  await vi.runAllTimersAsync();
  expect([ada.text(), ada.stored(), server.requests]).toEqual(['', '', 1]);

  ada.type('More');
  const refused = ada.composer.take(ada.key, []);
  ada.composer.restore(ada.key, refused);
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'More', version: 3 });
});

test('a text that is cleared empties the draft, and a blank one is never stored', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type(' ');
  await vi.runAllTimersAsync();
  expect(server.requests).toBe(0);
  ada.type('One');
  await vi.runAllTimersAsync();
  ada.type('');
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: '', version: 2 });
});

test.each([
  ['the view before the response, and nothing else in the box', ['view', 'response'], '', 'Undone'],
  ['the view before the response, and a stored text', ['view', 'response'], 'Stored', 'Undone\n\nStored'],
  ['the response before the view', ['response', 'view'], 'Stored', 'Undone\n\nStored'],
  ['only the view, because the response was lost', ['view'], 'Stored', 'Undone\n\nStored'],
] as const)('a cancelled reply is in the box once: %s', async (_, arrivals, text, expected) => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type('Undone');
  const taken = ada.composer.take(ada.key, []);
  ada.composer.confirm(ada.key, taken);
  if (text !== '') ada.type(text);
  await vi.runAllTimersAsync();
  const version = server.returnReply('Undone');
  for (const arrival of arrivals) {
    if (arrival === 'view') ada.refetch();
    else if (!ada.returned(version)) ada.composer.restore(ada.key, taken);
  }
  expect(ada.text()).toBe(expected);
  await vi.runAllTimersAsync();
  ada.refetch();
  expect(server.draft()).toMatchObject({ content: expected });
  expect([ada.text(), ada.shared()?.newer]).toEqual([expected, null]);
});

test('a cancelled reply is put above a text that is not stored yet, without a question', async () => {
  const server = openServer();
  const ada = server.openPage('ada');
  ada.type('Undone');
  const taken = ada.composer.take(ada.key, []);
  ada.composer.confirm(ada.key, taken);
  ada.type('New');
  const version = server.returnReply('Undone');
  ada.refetch();
  expect(ada.returned(version)).toBe(false);
  ada.composer.restore(ada.key, taken);
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'Undone\n\nNew' });
  expect([ada.text(), ada.shared()?.newer]).toEqual(['Undone\n\nNew', null]);
});

test('a text that the server does not have stays when another tab receives the version of a colleague', async () => {
  const server = openServer();
  const [ada, ben] = [server.openPage('ada'), server.openPage('ben')];
  const other = server.openPage('ada', ada.storage);
  ben.type('From Ben');
  await vi.runAllTimersAsync();
  ada.type('From Ada');
  await vi.runAllTimersAsync();
  other.hear();
  other.refetch();
  ada.hear();
  expect([ada.text(), ada.shared()?.newer?.content]).toEqual(['From Ada', 'From Ben']);
  ada.resolve('both');
  await vi.runAllTimersAsync();
  expect(server.draft()).toMatchObject({ content: 'From Ben\n\nFrom Ada' });
  ben.refetch();
  ben.type('From both');
  await vi.runAllTimersAsync();
  other.hear();
  other.refetch();
  expect(other.text()).toBe('From both');
});

/** A server with the draft of one conversation. */
function openServer() {
  let stored: DraftView | null = null;
  let held: Promise<void> = Promise.resolve();
  const server = {
    requests: 0,
    /** Requests arrive, and their responses are lost. */
    isLost: false,
    draft: () => stored,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    /** Empties the draft, as sending it does. */
    clear: (version: number) => {
      if (stored?.version === version)
        stored = { ...stored, content: '', formatted: null, answers: null, files: [], version: version + 1 };
    },
    /** Puts a cancelled reply above the draft. Returns the version. */
    returnReply: (text: string) => {
      const { content = '', version = 0 } = stored ?? {};
      const author = { id: 'ada', name: 'ada' };
      const joined = joinWritten([
        { text, formatted: null },
        { text: content, formatted: null },
      ]);
      stored = { ...NOTHING, content: joined.text, version: version + 1, author, updatedAt: new Date() };
      return version + 1;
    },
    openPage: (name: string, storage = makeStorage()) => {
      const events = new EventTarget();
      const composer = createComposerStore(storage, events);
      const key = draftKey({ userId: name, conversationId: 'order', kind: 'reply' });
      const you = { id: name, name };
      const view = { conversationId: 'order', you, readOnly: null, mergedInto: null, replyMaxLength: 8_000 };
      const viewOf = (draft: DraftView | null, otherAuthor: ComposerView['otherAuthor'] = null) =>
        ({ ...view, draft, otherAuthor }) as ComposerView;
      let isOpen = true;
      const save = async ({ conversationId: _, ...draft }: DraftRequest) => {
        server.requests += 1;
        if (!isOpen) return notReached();
        const { version } = draft;
        const isCurrent = stored === null || stored.version === version;
        if (isCurrent) stored = { ...draft, version: version + 1, author: you, updatedAt: new Date() };
        const value = isCurrent ? { version: version + 1, newer: null } : { version, newer: stored };
        await held;
        return server.isLost ? notReached() : { done: true as const, value };
      };
      const drafts = shareDrafts({ composer, save });
      composer.open('order');
      drafts.follow(viewOf(stored));
      return {
        composer,
        key,
        storage,
        type: (text: string) => composer.edit(key, () => ({ text })),
        refetch: (...[draft = stored, other]: Partial<Parameters<typeof viewOf>>) =>
          drafts.follow(viewOf(draft, other)),
        resolve: (choice: Parameters<typeof drafts.resolve>[1]) => drafts.resolve(viewOf(stored), choice),
        returned: (version: number) => drafts.returned(viewOf(stored), version),
        text: () => composer.get(key).text,
        shared: () => composer.get(key).shared,
        stored: () => composer.versionOf(key),
        /** Hears that another tab has stored a text. */
        hear: () => void events.dispatchEvent(Object.assign(new Event('storage'), { key })),
        close: () => {
          isOpen = false;
          events.dispatchEvent(new Event('pagehide'));
        },
      };
    },
  };
  return server;
}

function empty() {
  return { addresses: [], typed: '' };
}

/** As in a browser, the methods are not among the keys. */
function makeStorage(): Storage {
  const methods = {
    get length() {
      return Object.keys(this).length;
    },
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, text: string) {
      this[key] = text;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods);
}
