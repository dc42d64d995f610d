import { cx } from '#app/lib/cx.ts';
import type { AgentTestView } from '#server/screens/settings/channel-views.ts';

type Props = Pick<AgentTestView['messages'][number], 'from' | 'content'>;

/** A test message: the contact's on the left, the agent's on the right. */
export function TestMessage({ from, content }: Props) {
  const isAgent = from === 'agent';
  return (
    <div className={cx('grid min-w-0 gap-1', isAgent && 'justify-items-end')}>
      <p className="font-semibold text-list">{isAgent ? 'AI agent' : 'You, as a contact'}</p>
      <p
        dir="auto"
        className={cx(
          'w-fit max-w-[85%] whitespace-pre-wrap rounded-lg px-3 py-2 [overflow-wrap:anywhere]',
          isAgent ? 'bg-accent-soft' : 'bg-hover',
        )}
      >
        {content}
      </p>
    </div>
  );
}
