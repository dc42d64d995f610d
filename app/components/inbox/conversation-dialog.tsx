import type { RemovalDialogProps } from '#app/components/inbox/after-removal.ts';
import { DeletionDialog } from '#app/components/inbox/deletion-dialog.tsx';
import { MergeDialog } from '#app/components/inbox/merge-dialog.tsx';

type Props = RemovalDialogProps & {
  shown: 'merge' | 'deletion';
  title: string;
  isClaimed: boolean;
};

/** The dialog that merges or deletes a conversation. */
export function ConversationDialog({ shown, title, isClaimed, ...removal }: Props) {
  const { id, control } = removal;
  switch (shown) {
    case 'merge':
      return <MergeDialog id={id} title={title} isClaimed={isClaimed} control={control} />;
    case 'deletion':
      return <DeletionDialog {...removal} />;
  }
}
