import { expect, test, vi } from 'vitest';
import {
  createComposerStore,
  type DraftOf,
  draftFile,
  draftKey,
  RECENT_KEY,
} from '#app/components/drafts/composer-store.ts';
import { currentCopies } from '#app/components/drafts/copies.ts';
import { formattedText } from '#server/screens/inbox/formatted-text.ts';

// Each store is a tab. Tabs of one browser share a storage.

const OF: DraftOf = { userId: 'olivia', conversationId: 'order', kind: 'reply' };
const KEY = draftKey(OF);
const UPLOADED = { id: 'f1', name: 'order.txt', sizeBytes: 9, contentType: 'text/plain', signature: 's' };

test('drafts are stored per teammate, conversation and kind, and shown in a new tab', () => {
  const browser = openBrowser();
  const tab = browser.openTab();
  type(tab, KEY, 'Hello');
  const others: Partial<DraftOf>[] = [{ userId: 'ada' }, { conversationId: 'return' }, { kind: 'note' }];
  for (const other of others) expect(tab.get(draftKey({ ...OF, ...other })).text).toBe('');
  expect(browser.openTab().get(KEY).text).toBe('Hello');
  type(tab, KEY, '');
  expect(browser.stored()).toEqual({});
});

test('a draft is stored after a pause in typing, when its conversation is left and when the tab is closed', () => {
  vi.useFakeTimers();
  const { openTab, stored } = openBrowser();
  const tab = openTab();
  tab.edit(KEY, () => ({ text: 'H' }));
  expect(stored()).toEqual({});
  vi.runAllTimers();
  expect(stored()).toEqual({ [KEY]: 'H' });
  const leave = tab.open('order');
  tab.edit(KEY, () => ({ text: 'He' }));
  leave();
  expect(stored()).toEqual({ [KEY]: 'He' });
  tab.edit(KEY, () => ({ text: 'Hel' }));
  tab.close();
  expect(stored()).toEqual({ [KEY]: 'Hel' });
  vi.useRealTimers();
});

test('tabs that show the same draft follow each other, and a tab that changes nothing overwrites nothing', () => {
  const browser = openBrowser();
  const [one, other] = [browser.openTab(), browser.openTab()];
  type(one, KEY, 'Half a reply');
  expect(other.get(KEY).text).toBe('Half a reply');
  other.close();
  one.open('order')();
  expect(browser.stored()).toEqual({ [KEY]: 'Half a reply' });
  const taken = one.take(KEY, []);
  expect(other.get(KEY).text).toBe('Half a reply');
  one.confirm(KEY, taken);
  expect(other.get(KEY).text).toBe('');

  other.edit(KEY, () => ({ text: 'Unsaved' }));
  type(one, KEY, 'Newer');
  expect(other.get(KEY).text).toBe('Unsaved');
});

test('text in flight survives a closed tab, above newer text, until the server confirms it', () => {
  const { openTab, stored } = openBrowser();
  const tab = openTab();
  tab.edit(KEY, () => ({ text: 'All done.\n' }));
  const first = tab.take(KEY, []);
  expect(first.text).toBe('All done.\n');
  expect(tab.get(KEY).text).toBe('');
  tab.edit(KEY, () => ({ text: 'And more' }));
  tab.close();
  expect(stored()).toEqual({ [KEY]: 'All done.\n\nAnd more' });
  tab.confirm(KEY, first);
  expect(stored()).toEqual({ [KEY]: 'And more' });

  const second = tab.take(KEY, []);
  type(tab, KEY, 'And more');
  const repeated = tab.take(KEY, []);
  tab.confirm(KEY, second);
  expect(stored()).toEqual({ [KEY]: 'And more' });
  tab.confirm(KEY, repeated);
  expect(stored()).toEqual({});
});

test('a restored reply is in its box with its files and recipients, whether or not its conversation is on screen', () => {
  const { openTab, stored } = openBrowser();
  const tab = openTab();
  tab.edit(KEY, () => ({ text: 'All done.', files: [draftFile(UPLOADED)] }));
  tab.addSavedReplyId(KEY, 'greeting');
  const taken = tab.take(KEY, ['cc@example.com']);
  expect(taken.enclosed).toEqual({
    cc: ['cc@example.com'],
    bcc: [],
    files: [UPLOADED],
    savedReplyIds: ['greeting'],
  });
  expect(tab.get(KEY)).toMatchObject({ text: '', files: [], savedReplyIds: [] });
  tab.confirm(KEY, taken);
  type(tab, KEY, 'And more');
  tab.restore(KEY, taken);
  expect(tab.get(KEY)).toMatchObject({
    text: 'All done.\n\nAnd more',
    files: [draftFile(UPLOADED)],
    savedReplyIds: ['greeting'],
    sending: [],
  });
  expect(currentCopies(tab.get(KEY).copies, []).cc.addresses).toEqual(['cc@example.com']);
  expect(stored()[KEY]).toBe('All done.\n\nAnd more');
  tab.edit(KEY, () => ({ text: 'All done.' }));
  tab.restore(KEY, taken);
  expect(tab.get(KEY)).toMatchObject({ text: 'All done.', files: [draftFile(UPLOADED)] });
});

test.for([
  ['tom@holt.test', { address: 'tom@holt.test', suggested: null }],
  ['', { address: null, suggested: null }],
  [null, null],
] as const)('a reply that was cancelled is to %j again', ([answers, restored]) => {
  const tab = openBrowser().openTab();
  const enclosed = { cc: [], bcc: [], files: [], savedReplyIds: [] };
  tab.restore(KEY, { text: 'All done.', formatted: null, answers, enclosed });
  expect(tab.get(KEY).answers).toEqual(restored);
});

test.for([
  ['', null],
  ['tom@holt.test', 'tom@holt.test'],
] as const)(
  'a reply to %j that was refused is to them again, and the next one to whoever is suggested',
  ([answers, address]) => {
    const tab = openBrowser().openTab();
    type(tab, KEY, 'All done.');
    const taken = tab.take(KEY, [], answers);
    tab.restore(KEY, taken, 'suggested@holt.test');
    expect(tab.get(KEY).answers).toEqual({ address, suggested: 'suggested@holt.test' });
  },
);

test('files and changed recipients stay with a draft that is left, also when an upload ends later', () => {
  const tab = openBrowser().openTab();
  const leave = tab.open('order');
  const uploading = { ...draftFile(UPLOADED), uploaded: null };
  tab.edit(KEY, () => ({
    files: [uploading],
    copies: { copies: withBcc('carol@example.com'), suggested: null },
  }));
  leave();
  tab.edit(KEY, ({ files }) => ({ files: files.map((file) => ({ ...file, uploaded: UPLOADED })) }));
  tab.open('order');
  expect(tab.get(KEY).files).toEqual([draftFile(UPLOADED)]);
  const taken = tab.take(KEY, []);
  expect(taken.enclosed).toMatchObject({ bcc: ['carol@example.com'], files: [UPLOADED] });
  expect(tab.get(KEY).files).toEqual([]);
});

test('the recipients of the last message stay until its conversation is left', () => {
  const tab = openBrowser().openTab();
  const leave = tab.open('order');
  const cc = () => currentCopies(tab.get(KEY).copies, ['suggested@example.com']).cc.addresses;
  tab.edit(KEY, () => ({ copies: { copies: withBcc('carol@example.com'), suggested: null } }));
  tab.take(KEY, ['suggested@example.com']);
  expect(cc()).toEqual([]);
  leave();
  expect(cc()).toEqual(['suggested@example.com']);
});

test('the saved replies that a draft used are stored, the newest 20, and removed with its text', () => {
  const { openTab, stored } = openBrowser();
  const tab = openTab();
  type(tab, KEY, 'Hello');
  for (let at = 0; at < 22; at += 1) tab.addSavedReplyId(KEY, `saved-${at}`);
  tab.addSavedReplyId(KEY, 'saved-21');
  expect(openTab().get(KEY).savedReplyIds).toEqual(Array.from({ length: 20 }, (_, at) => `saved-${at + 2}`));
  type(tab, KEY, '');
  expect(stored()).toEqual({});
});

test('sign-out removes every draft and only drafts, also what other tabs store in the meantime', () => {
  const { openTab, stored, storage } = openBrowser();
  storage.setItem('theme', 'dark');
  storage.setItem(RECENT_KEY, '[]');
  const [one, other] = [openTab(), openTab()];
  type(one, KEY, 'Hello');
  other.edit(draftKey({ ...OF, kind: 'note' }), () => ({ text: 'Tiresome' }));
  const before = one.lastSignOut();
  one.signOut();
  other.close();
  one.edit(KEY, () => ({ text: 'Typed since' }));
  one.close();
  expect(Object.keys(stored()).sort()).toEqual(['signed-out', 'theme']);
  expect(one.lastSignOut()).not.toBe(before);
  type(openTab(), draftKey({ ...OF, userId: 'arjun' }), 'Arjun writes');
  expect(Object.values(stored())).toContain('Arjun writes');
});

test('a draft that a tab stored before it learned of the sign-out is removed', () => {
  const { openTab, stored, storage } = openBrowser();
  const tab = openTab();
  type(tab, KEY, 'Hello');
  storage.setItem('signed-out', 'now');
  tab.receive('signed-out', 'now');
  expect(Object.keys(stored())).toEqual(['signed-out']);
});

test.each([
  ['no storage', null],
  ['full storage', fullStorage()],
])('works with %s', (_, storage) => {
  const tab = createComposerStore(storage, null);
  type(tab, KEY, 'Hello');
  const taken = tab.take(KEY, []);
  tab.restore(KEY, taken);
  tab.signOut();
  expect(tab.get(KEY).text).toBe('Hello');
});

test('inserts a text at the cursor of the reply, and at its end without one or behind the note', () => {
  const tab = openBrowser().openTab();
  tab.open('order');
  tab.edit(KEY, () => ({ text: 'Hello Nora' }));
  tab.insert(OF, '!');
  expect(tab.get(KEY).text).toBe('Hello Nora!');
  tab.select(6, 10);
  tab.insert(OF, 'Ada');
  expect(tab.get(KEY).text).toBe('Hello Ada!');
  expect(tab.store.getState().shown).toMatchObject({ kind: 'reply', focus: { caret: 9 } });
  tab.show('order', { kind: 'note' });
  tab.insert(OF, ' Bye');
  expect(tab.get(KEY).text).toBe('Hello Ada! Bye');
  expect(tab.store.getState().shown?.kind).toBe('reply');
});

test('only the composer on screen is changed or focused, and starts with a reply', () => {
  const tab = openBrowser().openTab();
  tab.focus('order', 'note');
  expect(tab.store.getState().shown).toBeNull();
  const leave = tab.open('order');
  tab.focus('order', 'note');
  expect(tab.store.getState().shown).toMatchObject({ kind: 'note', focus: {} });
  tab.open('return');
  leave();
  tab.focus('order', 'note');
  const started = { kind: 'reply', focus: null, run: null };
  expect(tab.store.getState().shown).toEqual({ conversationId: 'return', ...started });
});

test('a conversation that is about to be opened takes the focus, once', () => {
  const tab = openBrowser().openTab();
  const focusOf = (conversationId: string) => {
    tab.open(conversationId);
    return tab.store.getState().shown?.focus;
  };
  tab.focusNext('order');
  expect(focusOf('order')).toEqual({ caret: undefined });
  expect(focusOf('order')).toBeNull();
  tab.focusNext('order');
  expect(focusOf('return')).toBeNull();
  expect(focusOf('order')).toBeNull();
});

test('a text that was written since is not cleared', () => {
  const tab = openBrowser().openTab();
  type(tab, KEY, '/refund twice');
  tab.clear(KEY, '/refund');
  expect(tab.get(KEY).text).toBe('/refund twice');
  tab.clear(KEY, '/refund twice');
  expect(tab.get(KEY).text).toBe('');
});

test('a question stays with its conversation until it is closed', () => {
  const tab = openBrowser().openTab();
  const taken = tab.take(KEY, []);
  const question = { taken, solves: true, sendAt: undefined, unseen: [], seen: ['m1'] };
  tab.ask('order', question);
  tab.ask('return', question);
  tab.ask('return', null);
  expect(tab.store.getState().questions).toEqual({ order: question });
});

function openBrowser() {
  const storage = makeStorage();
  const tabs: EventTarget[] = [];
  return {
    storage,
    stored: (): Record<string, string> => ({ ...storage }),
    openTab: () => {
      const events = new EventTarget();
      tabs.push(events);
      /** Writes, and reports the change to the other tabs, as browsers do. */
      const write = (key: string, newValue: string | null) => {
        if (newValue === null) storage.removeItem(key);
        else storage.setItem(key, newValue);
        for (const tab of tabs) if (tab !== events) tab.dispatchEvent(storageEvent(key, newValue));
      };
      const methods = { setItem: write, removeItem: (key: string) => write(key, null) };
      const own = new Proxy(storage, {
        get: (target, name) => Reflect.get(methods, name) ?? Reflect.get(target, name),
      });
      return Object.assign(createComposerStore(own, events), {
        close: () => events.dispatchEvent(new Event('pagehide')),
        receive: (key: string, newValue: string) => events.dispatchEvent(storageEvent(key, newValue)),
      });
    },
  };
}

function storageEvent(key: string, newValue: string | null): Event {
  return Object.assign(new Event('storage'), { key, newValue });
}

function type(tab: ReturnType<typeof createComposerStore>, key: string, text: string): void {
  tab.edit(key, () => ({ text }));
  tab.save(key);
}

function withBcc(address: string) {
  const nobody = { addresses: [], typed: '' };
  return { shown: 'all' as const, cc: nobody, bcc: { addresses: [], typed: address } };
}

/** As in a browser, the methods are not among the keys. */
function makeStorage(): Storage {
  const methods = {
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

function fullStorage(): Storage {
  const storage = makeStorage();
  return Object.create(storage, {
    setItem: {
      value: () => {
        throw new Error('QuotaExceededError');
      },
    },
  });
}

test('the formatting of a draft is stored with its text, and ignored beside the text of a page that wrote no formatting', () => {
  const browser = openBrowser();
  const tab = browser.openTab();
  const formatted = formattedText('Bold');
  tab.edit(KEY, () => ({ text: 'Bold', formatted }));
  tab.save(KEY);
  expect(browser.openTab().get(KEY)).toMatchObject({ text: 'Bold', formatted });
  browser.storage.setItem(KEY, 'Plain');
  expect(browser.openTab().get(KEY)).toMatchObject({ text: 'Plain', formatted: null });
});

test('a new text has no formatting, and texts with and without formatting are joined', () => {
  const tab = openBrowser().openTab();
  const formatted = formattedText('Bold');
  tab.edit(KEY, () => ({ text: 'Bold', formatted }));
  const taken = tab.take(KEY, []);
  expect(taken).toMatchObject({ text: 'Bold', formatted });
  tab.edit(KEY, () => ({ text: 'Plain' }));
  expect(tab.get(KEY).formatted).toBeNull();
  tab.restore(KEY, taken);
  expect(tab.get(KEY)).toMatchObject({ text: 'Bold\n\nPlain', formatted: formattedText('Bold\n\nPlain') });
});
