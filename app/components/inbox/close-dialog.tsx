'use client';

import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';

type Props = { id: string; control: { open: boolean; onOpenChange: (open: boolean) => void } };

/** Asks before closing a conversation, which is final. */
export function CloseDialog({ id, control }: Props) {
  return (
    <ConfirmDialog
      control={control}
      title="Close this conversation?"
      confirm="Close conversation"
      onConfirm={() =>
        changeConversation(id, { to: { kind: 'closing', status: 'closed' }, done: statusNames.closed })
      }
    >
      <p>
        A closed conversation can’t be reopened. When the contact writes again, a new conversation starts.
      </p>
    </ConfirmDialog>
  );
}
