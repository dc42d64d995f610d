'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { ConversationPane } from '#app/components/inbox/conversation-pane.tsx';
import { ConversationSkeleton } from '#app/components/inbox/conversation-skeleton.tsx';
import { openedQuery, type ServedInbox } from '#app/components/inbox/inbox-queries.ts';
import { readProblem, useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { Alert } from '#app/components/ui/alert.tsx';

type Props = { id: string; served: ServedInbox; platformName: string };

/** The open conversation: as the server rendered it, fetched ahead, or fetched now. */
export function OpenedConversation({ id, served, platformName }: Props) {
  const screens = useScreens();
  const router = useRouter();
  const first = served.opened;
  const isFirst = first?.conversation.id === id;
  const { data: opened, error } = useServedQuery(openedQuery(screens, id), isFirst ? first : undefined);
  const isLost = opened === null || error !== null;
  useEffect(() => {
    // Another workspace may be open by now, or the session over: the page itself says so.
    if (isLost) router.refresh();
  }, [isLost, router]);
  if (opened) return <ConversationPane opened={opened} platformName={platformName} />;
  if (!error) return <ConversationSkeleton />;
  return (
    <div className="grow p-5">
      <Alert>{readProblem(error)}</Alert>
    </div>
  );
}
