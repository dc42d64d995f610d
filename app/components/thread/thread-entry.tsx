import { Star } from 'lucide-react';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { InboxLink } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import { exactTime, formatSince } from '#app/lib/format-time.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { ThreadItem } from '#server/screens/inbox/thread-views.ts';

/** A timeline entry between messages, with an optional rating and comment. */
export function ThreadEntry({ item }: { item: Extract<ThreadItem, { kind: 'entry' }> }) {
  const { sentence, other, until, score, quote } = item;
  return (
    <div className="flex items-center gap-3 text-ink-soft text-xs before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      <div className="grid max-w-[80%] justify-items-center gap-0.5 text-balance text-center [overflow-wrap:anywhere]">
        <p>
          {sentence}
          {other ? (
            <>
              :{' '}
              <InboxLink
                href={inboxPath({ status: 'all', selected: other.id })}
                className="font-medium text-accent-ink hover:underline"
              >
                <bdi>{other.title}</bdi>
              </InboxLink>
            </>
          ) : null}
          {until ? <Until at={until} /> : null}{' '}
          <RelativeTime at={item.createdAt} className="whitespace-nowrap text-ink-faint" />
        </p>
        {score === null ? null : <RatingStars score={score} />}
        {quote === null ? null : (
          <q dir="auto" className="block whitespace-pre-wrap text-ink text-list">
            {quote}
          </q>
        )}
      </div>
    </div>
  );
}

/** The end of a snooze, in the time zone of the browser. */
function Until({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return <span title={exactTime(at, timeZone)}> until {formatSince(at, now, timeZone)}</span>;
}

const words: Record<number, string> = { 1: 'Very bad', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Very good' };

/** A rating from 1 to 5 as stars and words. */
function RatingStars({ score }: { score: number }) {
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-ink text-list">
      <span aria-hidden className="inline-flex gap-0.5">
        {[1, 2, 3, 4, 5].map((place) => (
          <Star
            key={place}
            size={14}
            strokeWidth={1.75}
            className={cx(place <= score ? 'fill-waiting text-waiting' : 'text-ink-faint')}
          />
        ))}
      </span>
      {words[score] ?? `${score} of 5`}
    </span>
  );
}
