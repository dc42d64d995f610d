'use client';

import { useEffect, useRef } from 'react';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { Bubble, WaitingMessage } from '#app/components/web-chat/bubble.tsx';
import { ChatFile, ChatPicture } from '#app/components/web-chat/chat-file.tsx';
import type { Outgoing, useChat } from '#app/components/web-chat/use-chat.ts';
import { cx } from '#app/lib/cx.ts';
import { exactTime, formatSince } from '#app/lib/format-time.ts';
import type { ChatMessage } from '#server/screens/web-chat/views.ts';

type Props = {
  workspaceId: string;
  chat: ReturnType<typeof useChat>;
  /** Sends a failed message again. */
  retry: (message: Outgoing) => void;
};

/** Messages, oldest first, and the outbox, as a live region. Scrolls to the newest. */
export function MessageList({ workspaceId, chat, retry }: Props) {
  const { view, outbox, discard } = chat;
  const messages = view?.messages ?? [];
  const end = useRef<HTMLDivElement>(null);
  const newest = `${messages.at(-1)?.id} ${outbox.length} ${view?.ended}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the newest entry changes
  useEffect(() => {
    // No return value: some browsers return a promise here, which is not a cleanup function.
    end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);
  return (
    <ScrollArea className="min-h-0 grow">
      <div
        role="log"
        aria-label="Conversation"
        aria-busy={view === null}
        className="grid min-h-full grid-cols-[minmax(0,1fr)] content-end gap-3 px-4 py-5"
      >
        {view === null && chat.problem === null ? <Loading /> : null}
        {view !== null ? (
          <p className="mx-auto max-w-[34ch] text-balance py-8 text-center text-ink-soft">
            Hello. How can we help?
          </p>
        ) : null}
        {messages.map((message) => (
          <ArrivedMessage key={message.clientId ?? message.id} workspaceId={workspaceId} message={message} />
        ))}
        {outbox.map((message) => (
          <WaitingMessage
            key={message.id}
            message={message}
            retry={() => retry(message)}
            discard={() => discard(message.id)}
          />
        ))}
      </div>
      <div ref={end} />
    </ScrollArea>
  );
}

function Loading() {
  return (
    <>
      <span className="sr-only">Loading the conversation</span>
      <Skeleton className="h-9 w-2/3" />
      <Skeleton className="ml-auto h-9 w-1/2" />
    </>
  );
}

function ArrivedMessage({ workspaceId, message }: { workspaceId: string; message: ChatMessage }) {
  const { now, timeZone } = useNow();
  const { authorName, content, formatted, pictures, createdAt, attachments } = message;
  const at = new Date(createdAt);
  return (
    <Bubble
      isMine={authorName === null}
      content={content}
      formatted={formatted}
      picture={(fileId, name) => {
        const id = pictures.find((picture) => picture.fileId === fileId)?.id ?? null;
        return <ChatPicture workspaceId={workspaceId} id={id} name={name} />;
      }}
      files={
        attachments.length > 0 ? (
          <ul className={cx('grid gap-1.5', authorName === null && 'justify-items-end')}>
            {attachments.map((file) => (
              <li key={file.id}>
                <ChatFile workspaceId={workspaceId} file={file} />
              </li>
            ))}
          </ul>
        ) : null
      }
      foot={
        <>
          <span className={authorName === null ? 'sr-only' : 'font-medium'}>{authorName ?? 'You'}</span>
          {authorName === null ? 'Sent' : ' ·'}{' '}
          <time dateTime={createdAt} title={exactTime(at, timeZone)}>
            {formatSince(at, now, timeZone)}
          </time>
        </>
      }
    />
  );
}
