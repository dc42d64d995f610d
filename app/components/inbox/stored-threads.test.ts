import { QueryClient } from '@tanstack/react-query';
import type { UseStore } from 'idb-keyval';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dropThreads, followThreads, type ThreadSession } from '#app/components/inbox/stored-threads.ts';

const ADA = { userId: 'ada', workspaceId: 'one', role: 'agent', seesAll: true };
let pages = new AbortController();

afterEach(() => {
  pages.abort();
  pages = new AbortController();
});

describe('on the next page, opened conversations', () => {
  test('are in the query cache if the server lists them, and are fetched when they are opened', async () => {
    const device = createDevice();
    await (await device.visit()).open('1', '2', '3');
    const page = await device.visit();
    page.list('1', '3', '4');
    await vi.waitFor(() =>
      expect(page.shown('1', '2', '3', '4')).toEqual(['Subject 1', null, 'Subject 3', null]),
    );
    expect(page.isStale('1')).toBe(true);
  });

  test('are restored from a list that was there before, with their timestamps', async () => {
    const device = createDevice();
    await (await device.visit()).open('1');
    const page = await device.visit({ listed: ['1'] });
    expect(page.queries.getQueryData(key('1'))).toEqual(opened('1'));
  });

  test('have no draft and no waiting or suggested reply, which may have been sent since', async () => {
    const device = createDevice();
    const unsent = {
      draft: { content: 'Done', version: 5 },
      pending: [{ id: 'p' }],
      suggested: [{ id: 's' }],
    };
    await (await device.visit()).fetch('1', { ...opened('1'), composer: { ...unsent, channel: 'email' } });
    const page = await device.visit({ listed: ['1'] });
    expect(page.queries.getQueryData(key('1'))).toEqual({
      ...opened('1'),
      composer: { draft: null, pending: [], suggested: [], channel: 'email' },
    });
  });

  test('do not replace data that was fetched', async () => {
    const device = createDevice();
    await (await device.visit()).open('1', '2');
    const page = await device.visit();
    page.queries.setQueryData(key('1'), opened('1', 'Newer'));
    page.list('1', '2');
    page.queries.setQueryData(key('2'), opened('2', 'Fetched at the same time'));
    await settled();
    expect(page.shown('1', '2')).toEqual(['Newer', 'Fetched at the same time']);
  });

  test.each([
    ['with less of a role', { ...ADA, role: 'viewer' }],
    ['with more of a role', { ...ADA, role: 'owner' }],
    ['with a limited view', { ...ADA, seesAll: false }],
    ['of another workspace', { ...ADA, workspaceId: 'two' }],
    ['of another teammate', { ...ADA, userId: 'ben' }],
  ])('are not shown to a teammate %s, and leave the device', async (_whom, access) => {
    const device = createDevice();
    await (await device.visit()).open('1');
    expect(device.size()).toBe(1);
    const page = await device.visit({ access, listed: ['1'] });
    expect(page.shown('1')).toEqual([null]);
    expect(device.size()).toBe(0);
  });

  test('of the teammate’s other workspaces stay stored, and are not shown here', async () => {
    const device = createDevice();
    const two = { ...ADA, workspaceId: 'two' };
    await (await device.visit()).open('1');
    const page = await device.visit({ access: two, all: [ADA, two], listed: ['1'] });
    expect(page.shown('1')).toEqual([null]);
    expect((await device.visit({ all: [ADA, two], listed: ['1'] })).shown('1')).toEqual(['Subject 1']);
  });

  test('are gone once the server does not find them', async () => {
    const device = createDevice();
    const page = await device.visit();
    await page.open('1', '2');
    await page.queries.fetchQuery({ queryKey: key('1'), queryFn: () => null, staleTime: 0 });
    await vi.waitFor(() => expect(device.size()).toBe(1));
  });
});

describe('this device', () => {
  test('stores at most 50 conversations, and drops the oldest ones first', async () => {
    const device = createDevice();
    const page = await device.visit();
    for (let id = 1; id <= 120; id += 1) await page.open(String(id));
    expect(device.size()).toBeLessThanOrEqual(50);
    expect(device.size()).toBeGreaterThanOrEqual(40);
    expect((await device.visit({ listed: ['1', '120'] })).shown('1', '120')).toEqual([null, 'Subject 120']);
  });

  test('does not store a conversation of more than 200,000 characters, nor an older version of it', async () => {
    const device = createDevice();
    const page = await device.visit();
    await page.open('1');
    await page.fetch('1', opened('1', 'x'.repeat(200_001)));
    await vi.waitFor(() => expect(device.size()).toBe(0));
  });

  test('does not store what the page shows before it is saved', async () => {
    const device = createDevice();
    const page = await device.visit();
    await page.open('1');
    page.queries.setQueryData(key('1'), opened('1', 'Not saved yet'));
    await page.open('2');
    expect((await device.visit({ listed: ['1'] })).shown('1')).toEqual(['Subject 1']);
  });

  test('stores nothing after signing out, also not what was open in another tab', async () => {
    const device = createDevice();
    const [page, otherTab] = [await device.visit(), await device.visit()];
    await page.open('1');
    await device.signOut();
    await otherTab.fetch('2', opened('2'));
    await page.fetch('3', opened('3'));
    expect([device.size(), device.written()]).toEqual([0, 1]);
  });
});

/** Lets the page be idle, and the storage answer. */
async function settled(): Promise<void> {
  for (let times = 0; times < 50; times += 1) await Promise.resolve();
}

function key(id: string) {
  return ['conversations', 'opened', id];
}

function opened(id: string, subject = `Subject ${id}`) {
  const composer = { draft: null, pending: [], suggested: [] };
  return { conversation: { id, subject, items: [{ createdAt: new Date(0) }] }, composer };
}

function listOf(ids: readonly string[]) {
  return { pages: [{ rows: ids.map((id) => ({ id })) }], pageParams: [null] };
}

type Visit = { access?: typeof ADA; all?: (typeof ADA)[]; listed?: string[] };

/** A device with empty storage. */
function createDevice() {
  const rows = new Map<IDBValidKey, unknown>();
  let written = 0;
  const store = storeOf(rows, () => {
    written += 1;
  });
  let isSignedOut = false;
  return {
    size: () => rows.size,
    written: () => written,
    signOut: () => {
      isSignedOut = true;
      return dropThreads(store);
    },
    /** Loads a page, on which the server has listed some conversations. */
    visit: async ({ access = ADA, all = [access], listed = [] }: Visit = {}) => {
      const queries = new QueryClient();
      queries.setQueryData(['conversations', 'list', '/inbox'], listOf(listed));
      const workspaces = all.map(({ workspaceId: id, role, seesAll }) => ({ id, role, seesAll }));
      const { userId, workspaceId } = access;
      await followThreads(queries, {
        session: JSON.stringify({ userId, workspaceId, workspaces } satisfies ThreadSession),
        signal: pages.signal,
        isEnded: () => isSignedOut,
        whenIdle: queueMicrotask,
        whenShown: queueMicrotask,
        store,
      });
      const fetch = async (id: string, data: unknown) => {
        await queries.fetchQuery({ queryKey: key(id), queryFn: () => data, staleTime: 0 });
        await settled();
      };
      return {
        queries,
        fetch,
        open: async (...ids: string[]) => {
          for (const id of ids) await fetch(id, opened(id));
        },
        list: (...ids: string[]) =>
          queries.setQueryData(['conversations', 'list', '/inbox?tag=x'], listOf(ids)),
        shown: (...ids: string[]) =>
          ids.map(
            (id) => queries.getQueryData<ReturnType<typeof opened>>(key(id))?.conversation.subject ?? null,
          ),
        isStale: (id: string) =>
          queries
            .getQueryCache()
            .find({ queryKey: key(id) })
            ?.isStaleByTime(30_000),
      };
    },
  };
}

/** The part of IndexedDB that `idb-keyval` uses. */
function storeOf(rows: Map<IDBValidKey, unknown>, onWrite: () => void): UseStore {
  const answer = (result?: unknown) => {
    const request = { result, onsuccess: () => {} };
    queueMicrotask(() => request.onsuccess());
    return request;
  };
  const objects = {
    get: (at: IDBValidKey) => answer(structuredClone(rows.get(at))),
    getAll: () => answer([...rows.values()]),
    getAllKeys: () => answer([...rows.keys()]),
    put: (value: unknown, at: IDBValidKey) => {
      onWrite();
      rows.set(at, structuredClone(value));
    },
    delete: (at: IDBValidKey) => void rows.delete(at),
    clear: () => rows.clear(),
    get transaction() {
      return answer();
    },
  };
  return async (_mode, use) => use(objects as unknown as IDBObjectStore);
}
