'use client';

import { useQueryClient } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import { markUnread } from '#app/components/inbox/actions.ts';
import { useInboxView } from '#app/components/inbox/inbox-hooks.ts';
import { refetchUnreadCounts, showReadState } from '#app/components/inbox/read-state.ts';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { IconButton } from '#app/components/ui/button.tsx';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';

/** Marks the open conversation as unread and goes back to the list. An open conversation would be read again. */
export function MarkUnread({ id }: { id: string }) {
  const client = { queries: useQueryClient(), screens: useScreens() };
  const view = useInboxView();
  const mark = async () => {
    showReadState(client, { id, unread: true });
    showInbox(inboxPath({ ...view, selected: undefined }));
    const outcome = await toastOutcome(markUnread(id), { failed: 'Could not mark as unread' });
    if (!outcome.done) showReadState(client, { id, unread: false });
    await refetchUnreadCounts(client.queries);
  };
  return (
    <IconButton icon={MailOpen} label="Mark as unread" data-shortcut="unread" onClick={() => void mark()} />
  );
}
