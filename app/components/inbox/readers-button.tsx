'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import type { ReaderView } from '#server/screens/inbox/views.ts';

/** Shows who can read a conversation, and why. */
export function ReadersButton({ conversationId }: { conversationId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={
        <Button variant="quiet" className="-ml-3.5 justify-self-start">
          Who can read this?
        </Button>
      }
      control={{ open, onOpenChange: setOpen }}
      title="Who can read this conversation"
    >
      {open ? <Readers conversationId={conversationId} /> : null}
    </Dialog>
  );
}

function Readers({ conversationId }: { conversationId: string }) {
  const screens = useScreens();
  const { data, error } = useQuery({
    queryKey: ['conversations', 'readers', conversationId],
    queryFn: ({ signal }) => screens.conversations.readers.query({ id: conversationId }, { signal }),
  });
  if (error) return <FieldError>{queryErrorMessage(error)}</FieldError>;
  if (!data) return <Skeleton className="w-3/4" />;
  const { teammates, isLimited } = data;
  const [readers, others] = [teammates.filter(({ sees }) => sees), teammates.filter(({ sees }) => !sees)];
  return (
    <div className="grid gap-5">
      <p className="text-ink-soft text-list">
        {isLimited
          ? `${readers.length} of ${teammates.length} teammates can read it.`
          : 'Everyone in the workspace can read it.'}
      </p>
      {/* Nothing in the dialog but Close takes the focus, so a long list scrolls on its own. */}
      <ScrollArea
        aria-label="Teammates"
        className="grid max-h-[min(36rem,calc(100dvh-12rem))] gap-5 rounded-lg"
      >
        <Teammates title="Can read it" teammates={readers} />
        {isLimited ? <Teammates title="Can’t read it" teammates={others} /> : null}
      </ScrollArea>
    </div>
  );
}

function Teammates({ title, teammates }: { title: string; teammates: ReaderView[] }) {
  return (
    <section aria-label={title} className="grid gap-2">
      <h3 className="text-list">{title}</h3>
      <ul className="divide-y rounded-lg border">
        {teammates.map(({ id, name, why }) => (
          <li key={id} className="flex items-center gap-3 px-3 py-2.5">
            <Avatar name={name} size="small" />
            <div className="grid min-w-0">
              <bdi className="truncate font-medium text-list">{name}</bdi>
              <span className="text-ink-soft text-list">{why}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
