import { cx } from '#app/lib/cx.ts';
import type { ReactionView } from '#server/screens/inbox/thread-views.ts';

/** Reactions to a message, with the people who reacted. */
export function MessageReactions({ reactions, atEnd }: { reactions: ReactionView[]; atEnd: boolean }) {
  return (
    <ul
      aria-label="Reactions"
      className={cx('flex min-w-0 max-w-full flex-wrap gap-1', atEnd && 'justify-end')}
    >
      {reactions.map(({ emoji, names }) => (
        <li
          key={emoji}
          className="flex min-w-0 items-center gap-1 rounded-full border bg-surface px-2 py-0.5 text-ink-soft text-xs"
        >
          <span aria-hidden>{emoji}</span>
          <span className="sr-only">{emoji} from </span>
          <bdi className="min-w-0 [overflow-wrap:anywhere]">{names.join(', ')}</bdi>
        </li>
      ))}
    </ul>
  );
}
