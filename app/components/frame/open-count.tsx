import { listConversations } from '#app/data/list-conversations.ts';

/** How many conversations are open, for the navigation. */
export async function OpenCount() {
  const { counts } = await listConversations('open');
  const open = counts.open ?? 0;
  return (
    <span className="tabular text-xs">
      {open.toLocaleString('en-GB')}
      <span className="sr-only"> open</span>
    </span>
  );
}
