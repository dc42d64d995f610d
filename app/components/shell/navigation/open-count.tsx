import { countViews } from '#app/data/list-conversations.ts';
import { formatCount } from '#app/lib/format/format-count.ts';
import type { ViewCounts } from '#server/inbox/conversations/views.ts';

/** How many open conversations a view of the inbox holds, for the navigation. */
export async function OpenCount({ view }: { view: keyof ViewCounts }) {
  const counts = await countViews();
  return (
    <span className="tabular text-xs">
      {formatCount(counts[view])}
      <span className="sr-only"> open</span>
    </span>
  );
}
