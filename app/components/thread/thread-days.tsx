'use client';

import { Fragment } from 'react';
import { ThreadEntry } from '#app/components/thread/thread-entry.tsx';
import { ThreadMessage } from '#app/components/thread/thread-message.tsx';
import { ThreadNote } from '#app/components/thread/thread-note.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { dayOf, formatDay } from '#app/lib/format-day.ts';
import type { ThreadItem } from '#server/screens/inbox/views.ts';

type Props = {
  items: ThreadItem[];
  contactName: string | null;
  platformName: string;
  /** The conversation in which what did not leave may be sent again; null for those who only read. */
  mayResendIn: string | null;
};

/** The entries of a conversation, with a line wherever another day begins on the reader's calendar. */
export function ThreadDays({ items, contactName, platformName, mayResendIn }: Props) {
  const { now, timeZone } = useNow();
  return (
    <ol className="grid gap-4">
      {items.map((item, index) => {
        const before = items[index - 1];
        const isNewDay = !before || dayOf(before.createdAt, timeZone) !== dayOf(item.createdAt, timeZone);
        return (
          <Fragment key={item.id}>
            {isNewDay ? (
              <li className="py-1 text-center font-medium text-ink-soft text-xs">
                {formatDay(item.createdAt, now, timeZone)}
              </li>
            ) : null}
            <li className="min-w-0">
              {item.kind === 'message' ? (
                <ThreadMessage
                  item={item}
                  contactName={contactName}
                  platformName={platformName}
                  mayResendIn={mayResendIn}
                />
              ) : item.kind === 'note' ? (
                <ThreadNote item={item} platformName={platformName} />
              ) : (
                <ThreadEntry item={item} />
              )}
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}
