import type { ThreadItem, ThreadPage } from '#server/screens/inbox/thread-views.ts';

/**
 * Merges the refetched newest page into the shown items: adds new items, replaces changed ones and retains earlier
 * ones. If the pages do not overlap, returns only the new page, because items between them are unknown.
 */
export function mergeFresh(shown: ThreadPage, fresh: ThreadPage): ThreadPage {
  const [oldest] = fresh.items;
  const ids = new Set(fresh.items.map(({ id }) => id));
  if (!oldest || !shown.items.some(({ id }) => ids.has(id))) return fresh;
  const retained = shown.items.filter((item) => !ids.has(item.id) && isBefore(item, oldest));
  return {
    items: [...retained, ...fresh.items],
    earlier: retained.length > 0 ? shown.earlier : fresh.earlier,
  };
}

/** Ids break ties of the same timestamp. */
function isBefore(a: ThreadItem, b: ThreadItem): boolean {
  return a.createdAt < b.createdAt || (+a.createdAt === +b.createdAt && a.id < b.id);
}
