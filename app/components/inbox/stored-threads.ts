import { type AsyncStorage, experimental_createQueryPersister } from '@tanstack/query-persist-client-core';
import { hashKey, type Query, type QueryClient } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, get, keys, set, type UseStore } from 'idb-keyval';
import superjson from 'superjson';
import type { Viewer } from '#app/components/live/page-data.ts';
import type { ListPages } from '#app/lib/served-inbox.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

// Imports no other module of the page, because each one would be a separate script of the first ones.

/** Replaced at build time. Another version of the page may expect other data. */
declare const BUILD_ID: string | undefined;

/** Together at most 20 MB: a UTF-16 code unit has two bytes. */
const THREADS_MAX = 50;
const THREAD_MAX_LENGTH = 200_000;
/** Number of threads that stay when there are too many. */
const THREADS_KEPT = 40;
const MAX_AGE_MS = 7 * 24 * 3_600_000;

const DATABASE = 'threads';
const OPENED = ['conversations', 'opened'] as const;
const LISTS = ['conversations', 'list'] as const;

type Stored = { text: string; at: number };

type Options = {
  /** The viewer and all their workspaces, as JSON. Threads of other teammates, workspaces, roles and limited views are removed. */
  session: string;
  signal: AbortSignal;
  /** The page was left, or the teammate has signed out, also in another tab. */
  isEnded: () => boolean;
  whenIdle: (work: () => void) => void;
  /** Calls `work` when the page has shown a conversation that was opened, and is idle. */
  whenShown: (work: () => void) => void;
  store?: UseStore;
};

export type ThreadSession = Pick<Viewer, 'userId' | 'workspaceId'> & {
  workspaces: { id: string; role: string; seesAll: boolean }[];
};

/**
 * Stores the conversations that are opened, and puts those of listed rows into the query cache, so that opening one shows it
 * immediately. The server has just listed the row, so the teammate may see the conversation. Opening it fetches it again.
 */
export async function followThreads(queries: QueryClient, options: Options): Promise<void> {
  const { session, signal, isEnded, whenIdle, whenShown, store = threadStore() } = options;
  const { userId, workspaceId, workspaces }: ThreadSession = JSON.parse(session);
  // With another role, a teammate may see less. What a limited view shows can be hidden at any time, so it is not stored.
  const prefixes = new Map(
    workspaces.flatMap(({ id, role, seesAll }) =>
      seesAll ? [[id, [userId, id, role, typeof BUILD_ID === 'string' && BUILD_ID].join(' ')]] : [],
    ),
  );
  const prefix = prefixes.get(workspaceId);
  const found = await keys<string>(store);
  const isAllowed = (key: string) => [...prefixes.values()].some((each) => key.startsWith(`${each}-`));
  await delMany(
    found.filter((key) => !isAllowed(key)),
    store,
  );
  if (prefix === undefined || isEnded()) return;
  const stored = new Set(found);
  const storage = threadStorage(store, stored, isEnded);
  const persister = experimental_createQueryPersister<Stored>({
    storage,
    prefix,
    maxAge: MAX_AGE_MS,
    serialize: (query) => ({ text: superjson.stringify(query), at: Date.now() }),
    deserialize: ({ text }) => superjson.parse(text),
  });
  const restore = async ({ pages }: ListPages) => {
    for (const { id } of pages.flatMap(({ rows }) => rows).slice(0, THREADS_MAX)) {
      const queryKey = [...OPENED, id];
      const hash = hashKey(queryKey);
      if (!stored.has(`${prefix}-${hash}`) || queries.getQueryData(queryKey) !== undefined) continue;
      // One at a time, so that hydration and clicks come first.
      await new Promise<void>(whenIdle);
      const data = await persister.retrieveQuery<OpenedView>(hash);
      if (isEnded() || queries.getQueryData(queryKey) !== undefined) continue;
      // As old as possible, so that opening the conversation fetches it.
      if (data) queries.setQueryData(queryKey, withoutUnsent(data), { updatedAt: 0 });
    }
  };
  const saved = new WeakSet<object>();
  const save = (query: Query) => {
    const data = query.state.data as OpenedView | null;
    if (data === null) return void storage.removeItem(`${prefix}-${query.queryHash}`);
    if (saved.has(data)) return;
    saved.add(data);
    whenShown(() => {
      if (query.state.data === data) void persister.persistQuery(query).catch(ignore);
    });
  };
  const unsubscribe = queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const { query } = event;
    if (isOf(LISTS, query)) void restore(query.state.data as ListPages).catch(ignore);
    // Data that the page has set itself is not saved on the server yet.
    else if (isOf(OPENED, query) && event.action.manual !== true) save(query);
  });
  signal.addEventListener('abort', unsubscribe);
  for (const { state } of queries.getQueryCache().findAll({ queryKey: LISTS })) {
    if (state.data) await restore(state.data as ListPages);
  }
}

/** Leaves out drafts and replies that may have been sent since: the teammate would see them unsent, and could send them again. */
function withoutUnsent(opened: OpenedView): OpenedView {
  return { ...opened, composer: { ...opened.composer, draft: null, pending: [], suggested: [] } };
}

/** Removes all stored threads from this device, if it has any: opening the storage would create it. */
export async function dropThreads(store?: UseStore): Promise<void> {
  if (store) return clear(store);
  const all = await indexedDB.databases();
  if (all.some(({ name }) => name === DATABASE)) await clear(threadStore());
}

/** Removes all that this device has stored about a teammate besides local storage: threads, and what other apps shared. */
export async function forgetStored(): Promise<void> {
  // Without https there is no cache.
  await Promise.allSettled([dropThreads(), globalThis.caches?.delete('shared')]);
}

/** Storage with limits, which writes nothing after the end. */
function threadStorage(store: UseStore, stored: Set<string>, isEnded: () => boolean): AsyncStorage<Stored> {
  const removeItem = async (key: string) => {
    stored.delete(key);
    await delMany([key], store);
  };
  return {
    getItem: (key) => get<Stored>(key, store),
    removeItem,
    setItem: async (key, value) => {
      if (value.text.length > THREAD_MAX_LENGTH) return removeItem(key);
      if (!stored.has(key)) await makeRoom(store);
      if (isEnded()) return;
      await set(key, value, store);
      stored.add(key);
      // The teammate may have signed out while this was written.
      if (isEnded()) await removeItem(key);
    },
  };
}

/** Removes the oldest threads if there are too many. */
async function makeRoom(store: UseStore): Promise<void> {
  if ((await keys(store)).length < THREADS_MAX) return;
  const all = await entries<string, Stored>(store);
  const oldestFirst = all.toSorted(([, a], [, b]) => a.at - b.at);
  await delMany(
    oldestFirst.slice(0, -THREADS_KEPT).map(([key]) => key),
    store,
  );
}

function threadStore(): UseStore {
  return createStore(DATABASE, 'threads');
}

function isOf(queryKey: readonly string[], query: Query): boolean {
  return queryKey.every((part, at) => query.queryKey[at] === part);
}

/** A conversation that cannot be stored is fetched. */
function ignore(): void {}
