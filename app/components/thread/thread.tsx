'use client';

import { ArrowDown, MessageSquare } from 'lucide-react';
import { Fragment } from 'react';
import { joinRows } from '#app/components/live/live-list.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useLiveList } from '#app/components/live/use-live-list.ts';
import { mergeFresh } from '#app/components/thread/shown-thread.ts';
import { ThreadEntry, ThreadNote } from '#app/components/thread/thread-entry.tsx';
import { ThreadMessage } from '#app/components/thread/thread-message.tsx';
import { useThreadScroll } from '#app/components/thread/use-thread-scroll.ts';
import { Button } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { dayOf, formatDay } from '#app/lib/format-time.ts';
import type { ThreadItem, ThreadPage } from '#server/screens/inbox/views.ts';

type Props = {
  conversationId: string;
  /** Its newest part; what is read again of it is taken up without losing what was fetched before. */
  newest: ThreadPage;
  contactName: string | null;
  platformName: string;
  /** Whether the reader may send failed messages again. */
  mayResend: boolean;
};

/** What was said and what happened, oldest first, opened at its newest end. */
export function Thread({ conversationId, newest, contactName, platformName, mayResend }: Props) {
  const screens = useScreens();
  const { pages, hasMore, state, loadMore } = useLiveList({
    key: ['conversations.earlier', { id: conversationId }],
    first: newest,
    next: (page) => page.earlier,
    load: (before, signal) => screens.conversations.earlier.query({ id: conversationId, before }, { signal }),
    follow: mergeFresh,
    onProblem: (problem) => toast.error('Earlier messages could not be loaded', { description: problem }),
  });
  const pending = state === 'loading';
  const items = joinRows(pages.map((page) => page.items).reverse());
  const scroll = useThreadScroll({
    newestId: items.at(-1)?.id,
    saidId: items.findLast(({ kind }) => kind !== 'entry')?.id,
  });
  return (
    <div className="relative flex min-h-0 min-w-0 grow flex-col">
      {/* Laid out in reverse so that the browser starts at the bottom without a script. */}
      <ScrollArea
        ref={scroll.pane}
        onScroll={scroll.follow}
        aria-label="Messages"
        className="flex min-w-0 grow flex-col-reverse [overflow-anchor:none]"
      >
        <div className="mx-auto mb-auto w-full max-w-3xl px-5 py-5 max-md:px-4">
          {hasMore ? (
            <div className="mb-4 flex justify-center">
              <Button onClick={() => void loadMore()} aria-busy={pending}>
                {pending ? 'Loading' : 'Show earlier'}
              </Button>
            </div>
          ) : null}
          {items.length === 0 ? (
            <EmptyState icon={MessageSquare} title="No messages yet">
              <p>Messages from the contact and your team appear here.</p>
            </EmptyState>
          ) : (
            <ThreadDays
              items={items}
              contactName={contactName}
              platformName={platformName}
              mayResendIn={mayResend ? conversationId : null}
            />
          )}
        </div>
      </ScrollArea>
      <p role="status" className="sr-only">
        {scroll.hasNewMessages ? 'New messages below.' : ''}
      </p>
      {scroll.hasNewMessages ? (
        <Button
          onClick={scroll.goToEnd}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 animate-appear rounded-full shadow-black/10 shadow-lg"
        >
          <ArrowDown aria-hidden size={16} />
          New messages
        </Button>
      ) : null}
    </div>
  );
}

type ThreadDaysProps = {
  items: ThreadItem[];
  contactName: string | null;
  platformName: string;
  /** The conversation in which what did not leave may be sent again; null for those who only read. */
  mayResendIn: string | null;
};

/** The entries of a conversation, with a line wherever another day begins on the reader's calendar. */
function ThreadDays({ items, contactName, platformName, mayResendIn }: ThreadDaysProps) {
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
