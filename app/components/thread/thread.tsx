'use client';

import { ArrowDown, MessageSquare } from 'lucide-react';
import { Fragment, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { ThreadEntry } from '#app/components/thread/thread-entry.tsx';
import { threadItemId } from '#app/components/thread/thread-item-id.ts';
import { ThreadMessage } from '#app/components/thread/thread-message.tsx';
import { type NoteWriter, ThreadNote } from '#app/components/thread/thread-note.tsx';
import { useThreadPages } from '#app/components/thread/thread-pages.ts';
import { Button } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { dayOf, formatDay } from '#app/lib/format-time.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { ThreadItem, ThreadPage } from '#server/screens/inbox/thread-views.ts';

type Props = {
  conversationId: string;
  /** The newest page. A refetched one is merged without losing earlier pages. */
  newest: ThreadPage;
  contactId: string | undefined;
  contactName: string | null;
  /** Failed messages that the reader can send again. */
  resend: ComposerView['resend'];
  /** The reader can forward messages. */
  canForward: boolean;
  /** The reader, if they can change their notes here. */
  noteWriter: NoteWriter | null;
};

/** Messages, notes and timeline entries, oldest first, scrolled to the newest. */
export function Thread(props: Props) {
  const { conversationId, newest, contactId, contactName, resend, canForward, noteWriter } = props;
  const { items, hasMore, loading, loadEarlier } = useThreadPages(conversationId, newest);
  const scroll = useThreadScroll({
    newestId: items.at(-1)?.id,
    lastMessageId: items.findLast(({ kind }) => kind !== 'entry')?.id,
  });
  return (
    <div className="relative flex min-h-0 min-w-0 grow flex-col">
      {/* Reverse layout, so that the browser starts at the bottom without scripts. */}
      <ScrollArea
        ref={scroll.pane}
        onScroll={scroll.follow}
        aria-label="Messages"
        data-messages
        className="flex min-w-0 grow flex-col-reverse [overflow-anchor:none]"
      >
        <div className="mx-auto mb-auto w-full max-w-3xl px-5 py-5 max-md:px-4">
          {hasMore ? (
            <div className="mb-4 flex justify-center">
              <Button onClick={() => void loadEarlier()} aria-busy={loading}>
                {loading ? 'Loading' : 'Show earlier'}
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
              contactId={contactId}
              contactName={contactName}
              conversationId={conversationId}
              resend={resend}
              canForward={canForward}
              noteWriter={noteWriter}
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
  contactId: string | undefined;
  contactName: string | null;
  conversationId: string;
  resend: ComposerView['resend'];
  /** The reader can forward messages. */
  canForward: boolean;
  /** The reader, if they can change their notes here. */
  noteWriter: NoteWriter | null;
};

/** The items, with a date separator at each new day in the reader's time zone. */
function ThreadDays(props: ThreadDaysProps) {
  const { items, contactId, contactName, conversationId, resend, canForward, noteWriter } = props;
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
            <li id={threadItemId(item.id)} className="min-w-0">
              {item.kind === 'message' ? (
                <ThreadMessage
                  item={item}
                  contactId={contactId}
                  contactName={contactName}
                  conversationId={conversationId}
                  resend={resend}
                  canForward={canForward}
                />
              ) : item.kind === 'note' ? (
                <ThreadNote
                  item={item}
                  contactId={contactId}
                  conversationId={conversationId}
                  writer={noteWriter}
                />
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

/** A reader within this many pixels of the end counts as reading the newest message. */
const NEAR_END = 60;

/**
 * Maintains the scroll position of a thread with reverse layout. At the end, the view follows new items. When
 * scrolled up, the view stays and `hasNewMessages` is true until the reader returns to the end.
 * @param newestId id of the last item
 * @param lastMessageId id of the last message or note. Timeline entries do not count as new messages.
 */
function useThreadScroll({
  newestId,
  lastMessageId,
}: {
  newestId: string | undefined;
  lastMessageId: string | undefined;
}): {
  pane: RefObject<HTMLElement | null>;
  hasNewMessages: boolean;
  follow: () => void;
  goToEnd: () => void;
} {
  const pane = useRef<HTMLElement>(null);
  const before = useRef({ newestId, lastMessageId, height: 0, atEnd: true });
  const [hasNewMessages, setHasNewMessages] = useState(false);

  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const known = before.current;
    // At the end nothing moves, so skip the measurement, which would force a layout.
    if (known.atEnd) {
      before.current = { newestId, lastMessageId, height: 0, atEnd: true };
      return;
    }
    // scrollTop counts from the end, so it shifts by the height of the new items.
    const height = element.scrollHeight;
    if (known.newestId !== newestId) element.scrollTop -= height - known.height;
    if (known.lastMessageId !== lastMessageId) setHasNewMessages(true);
    before.current = { newestId, lastMessageId, height, atEnd: false };
  });

  const follow = () => {
    const element = pane.current;
    if (!element) return;
    const atEnd = element.scrollTop > -NEAR_END;
    before.current = { ...before.current, height: element.scrollHeight, atEnd };
    if (atEnd) setHasNewMessages(false);
  };
  const goToEnd = () => {
    pane.current?.scrollTo({ top: 0, behavior: 'smooth' });
    // The pressed button disappears.
    pane.current?.focus({ preventScroll: true });
  };
  return { pane, hasNewMessages, follow, goToEnd };
}
