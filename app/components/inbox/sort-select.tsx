import { ArrowDownUp } from 'lucide-react';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import { type InboxSort, type InboxView, inboxPath, inboxSorts } from '#app/lib/inbox-path.ts';

/** Names of the orders besides the default. */
export const sortNames: Record<InboxSort, string> = {
  oldest: 'Oldest',
  priority: 'Priority',
  waiting: 'Waiting longest',
  due: 'Due first',
};

/** Changes the order of the list. A native select below an icon, which is tinted when the order is not the default. */
export function SortSelect({ view }: { view: InboxView }) {
  const { sort } = view;
  const title = `Sort by: ${sort ? sortNames[sort] : 'Newest'}`;
  return (
    <span
      data-tip={title}
      className={cx(
        'icon-button relative size-9 border border-line-control outline-offset-2 outline-accent-ink has-focus-visible:outline-2 max-md:size-11',
        sort && 'bg-accent-soft text-accent-ink',
      )}
    >
      <ArrowDownUp aria-hidden size={18} strokeWidth={1.75} />
      <select
        aria-label="Sort by"
        value={sort ?? ''}
        onChange={({ target: { value } }) =>
          showInbox(inboxPath({ ...view, sort: inboxSorts.find((one) => one === value) }))
        }
        className="absolute inset-0 w-full cursor-pointer appearance-none opacity-0"
      >
        <option value="">Newest</option>
        {inboxSorts.map((one) => (
          <option key={one} value={one}>
            {sortNames[one]}
          </option>
        ))}
      </select>
    </span>
  );
}
