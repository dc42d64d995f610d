'use client';

import { useEffect, useRef } from 'react';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { ArrivedMessage } from '#app/components/web-chat/arrived-message.tsx';
import type { useChat } from '#app/components/web-chat/use-chat.ts';
import { WaitingMessage } from '#app/components/web-chat/waiting-message.tsx';

type Props = { workspaceId: string; chat: ReturnType<typeof useChat> };

/** What was written, oldest first, and what is on its way; read out as it comes. It keeps to its newest end. */
export function MessageList({ workspaceId, chat }: Props) {
  const { view, outbox, send, discard } = chat;
  const messages = view?.messages ?? [];
  const end = useRef<HTMLDivElement>(null);
  const newest = `${messages.at(-1)?.id} ${outbox.length} ${view?.ended}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows whatever is newest.
  useEffect(() => {
    // Not returned: in some browsers it is a promise, and no way to clean up.
    end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);
  const isEmpty = view !== null && messages.length === 0 && outbox.length === 0;
  return (
    <ScrollArea className="min-h-0 grow">
      <div role="log" aria-label="Conversation" aria-busy={view === null} className="grid gap-3 px-4 py-5">
        {view === null && chat.problem === null ? <Loading /> : null}
        {isEmpty ? (
          <p className="mx-auto max-w-[34ch] text-balance py-8 text-center text-ink-soft">
            Hello. How can we help? Write below, and add files if they help.
          </p>
        ) : null}
        {messages.map((message) => (
          <ArrivedMessage key={message.clientId ?? message.id} workspaceId={workspaceId} message={message} />
        ))}
        {outbox.map((message) => (
          <WaitingMessage
            key={message.id}
            message={message}
            retry={() => void send(message).catch(() => undefined)}
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
