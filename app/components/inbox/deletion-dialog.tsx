'use client';

import { useQuery } from '@tanstack/react-query';
import { type RemovalDialogProps, removeFromInbox } from '#app/components/inbox/after-removal.ts';
import { deleteConversation, undeleteConversation } from '#app/components/inbox/removal-actions.ts';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { countedWords } from '#app/lib/format-count.ts';
import type { DeletionPreview } from '#server/screens/inbox/views.ts';

/** Lists what is removed, and deletes the conversation. */
export function DeletionDialog(props: RemovalDialogProps) {
  const { id, control } = props;
  const screens = useScreens();
  const { data: preview, error } = useQuery({
    queryKey: ['removed.previewDeletion', id],
    queryFn: ({ signal }) => screens.removed.previewDeletion.query({ id }, { signal }),
    enabled: control.open,
  });
  return (
    <ConfirmDialog
      control={control}
      title="Delete this conversation?"
      confirm="Delete conversation"
      ready={preview !== undefined}
      onConfirm={() =>
        removeFromInbox(props, {
          remove: deleteConversation(id),
          restore: () => undeleteConversation(id),
          done: 'Conversation deleted',
        })
      }
    >
      {preview ? (
        <>
          <p>This deletes {contentOf(preview)}. Workflows and automations no longer see the conversation.</p>
          <p>
            You can restore it from Deleted for {preview.restoreDays} days. After that, it is removed for
            good.
          </p>
        </>
      ) : error ? (
        <FieldError>{queryErrorMessage(error)}</FieldError>
      ) : (
        <Skeleton className="w-3/4" />
      )}
    </ConfirmDialog>
  );
}

const list = new Intl.ListFormat('en-GB');

function contentOf({ messages, notes, files, merged }: DeletionPreview): string {
  const parts = [
    countedWords(messages, 'message'),
    ...(notes.count > 0 ? [countedWords(notes, 'note')] : []),
    ...(files.count > 0 ? [countedWords(files, 'file')] : []),
    ...(merged.count > 0 ? [countedWords(merged, 'merged conversation')] : []),
  ];
  return list.format(parts);
}
