'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import { markUnreadOptions } from '#app/components/inbox/read-state.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { IconButton } from '#app/components/ui/button.tsx';
import { showInbox, useInboxView } from '#app/components/view/inbox-view.tsx';
import { inboxPath } from '#app/lib/inbox-path.ts';

/**
 * Marks the open conversation as unread and goes back to the list. An open conversation would be marked as read
 * again.
 */
export function MarkUnread({ id }: { id: string }) {
  const { mutate } = useMutation(markUnreadOptions({ queries: useQueryClient(), screens: useScreens() }));
  const view = useInboxView();
  const mark = () => {
    mutate(id);
    showInbox(inboxPath({ ...view, selected: undefined }));
  };
  return <IconButton icon={MailOpen} label="Mark as unread" data-shortcut="unread" onClick={mark} />;
}
