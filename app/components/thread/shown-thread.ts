import type { ThreadItem, ThreadPage } from '#server/screens/inbox/views.ts';

/**
 * What is shown of a conversation once its newest part was read again: what is new is added, what has changed is
 * replaced, and what was fetched from before stays. When so much came at once that both do not meet, the new part
 * is shown alone, as what is between is unknown.
 */
export function mergeFresh(shown: ThreadPage, fresh: ThreadPage): ThreadPage {
  const [oldest] = fresh.items;
  const ids = new Set(fresh.items.map(({ id }) => id));
  if (!oldest || !shown.items.some(({ id }) => ids.has(id))) return fresh;
  const kept = shown.items.filter((item) => !ids.has(item.id) && isBefore(item, oldest));
  return { items: [...kept, ...fresh.items], earlier: kept.length > 0 ? shown.earlier : fresh.earlier };
}

/** Ids order what has the same instant. */
function isBefore(a: ThreadItem, b: ThreadItem): boolean {
  return a.createdAt < b.createdAt || (+a.createdAt === +b.createdAt && a.id < b.id);
}
