import { db } from '#server/db.ts';

/** What a hook counts beside what its deliveries say: both must be the same at any time. */
export async function hookCounts(hookId: string) {
  const [row] = await db().$queryRaw<
    { inFlight: number; waiting: number; staged: number; staying: number }[]
  >`
    select h.in_flight as "inFlight", h.waiting,
      (select count(*)::int from deliveries d where d.hook_id = h.id and d.stage in ('in_flight', 'handed_on')) as staged,
      (select count(*)::int from deliveries d where d.hook_id = h.id and d.stage = 'waiting') as staying
    from hooks h where h.id = ${hookId}::uuid`;
  if (!row) throw new Error('There is no such hook.');
  return row;
}

/** A hook that has nothing in flight and nothing waiting. */
export const AT_REST = { inFlight: 0, waiting: 0, staged: 0, staying: 0 };
