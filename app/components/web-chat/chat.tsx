'use client';

import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { ChatProblem } from '#app/components/web-chat/chat-api.ts';
import { ChatComposer, type Refused } from '#app/components/web-chat/chat-composer.tsx';
import { formatBack } from '#app/components/web-chat/format-back.ts';
import { MessageList } from '#app/components/web-chat/message-list.tsx';
import { Survey } from '#app/components/web-chat/survey.tsx';
import { type Outgoing, useChat } from '#app/components/web-chat/use-chat.ts';
import { useWidget } from '#app/components/web-chat/use-widget.ts';
import type { ChatPageView } from '#server/screens/web-chat/views.ts';

type Props = ChatPageView & { isInWidget: boolean };

/** The web chat, in its own window or in the widget. */
export function Chat({ workspaceId, workspaceName, isTest, closed, isInWidget }: Props) {
  const chat = useChat(workspaceId);
  const { view } = chat;
  // In an iframe, landmarks belong to the embedding site.
  const [Header, Main] = isInWidget ? (['div', 'div'] as const) : (['header', 'main'] as const);
  const field = useRef<HTMLTextAreaElement>(null);
  const isNew = view?.conversationId === null;
  // Hide the identity fields while the first message is being sent. A refused one returns to the form with them.
  const identity = isNew ? 'shown' : 'on_request';
  const canIdentify =
    view !== null && !view.isIntroduced && !(isNew && chat.outbox.some(({ problem }) => problem === null));
  const newestAnswer = view?.messages.findLast(({ clientId }) => clientId === null)?.id ?? null;
  const [returned, setReturned] = useState<Refused | null>(null);
  async function retry(message: Outgoing) {
    try {
      await chat.send(message);
    } catch (error) {
      if (!(error instanceof ChatProblem)) throw error;
      setReturned({ draft: message, problems: error.fields });
    }
  }
  const widget = useWidget({
    workspaceId,
    isInWidget,
    newestAnswer,
    onOpened: () => {
      chat.catchUp();
      field.current?.focus();
    },
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the surrounding widget, wherever the focus is
    <div
      className="mx-auto flex h-dvh max-w-2xl flex-col bg-surface sm:border-x"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) widget.close();
      }}
    >
      <Header className="flex items-center gap-3 border-b px-4 py-3">
        <Avatar name={workspaceName} square />
        <div className="min-w-0 grow">
          <h1 className="truncate text-base">{workspaceName}</h1>
          <p className="text-ink-soft text-list">
            {isTest ? <Badge tone="note">Test workspace</Badge> : null}{' '}
            <Greeting closed={view?.conversationId ? view.closed : closed} isTest={isTest} />
          </p>
        </div>
        {widget.isFramed ? <IconButton icon={X} label="Close the chat" onClick={widget.close} /> : null}
      </Header>
      <Main className="flex min-h-0 grow flex-col">
        <MessageList workspaceId={workspaceId} chat={chat} retry={(message) => void retry(message)} />
        {chat.problem ? (
          <div className="flex items-center justify-between gap-3 border-t bg-danger-soft px-4 py-2">
            <FieldError>{chat.problem}</FieldError>
            <Button onClick={() => void chat.refresh()}>Try again</Button>
          </div>
        ) : null}
        {view?.ended ? (
          <Survey
            key={`${view.conversationId} ${newestAnswer}`}
            ended={view.ended}
            rating={view.rating}
            rate={chat.rate}
          />
        ) : null}
        <ChatComposer
          workspaceName={workspaceName}
          field={field}
          identity={canIdentify ? identity : 'hidden'}
          isDisabled={view === null && chat.problem === null}
          returned={returned}
          send={chat.send}
        />
      </Main>
    </div>
  );
}

/** Invites to write. Outside business hours says when the team is back, in the time zone of the visitor. */
function Greeting({ closed, isTest }: Pick<Props, 'closed' | 'isTest'>) {
  const { now, timeZone } = useNow();
  const isAway = closed !== null && now >= Date.parse(closed.from) && now < Date.parse(closed.until);
  if (isAway) return <>We’re away. Back {formatBack(new Date(closed.until), now, timeZone)}.</>;
  return isTest ? null : 'Write to us. Our answers appear here.';
}
