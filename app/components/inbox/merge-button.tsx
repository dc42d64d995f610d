'use client';

import { Merge } from 'lucide-react';
import { MergeForm } from '#app/components/inbox/merge-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { IconButton } from '#app/components/ui/icon-button.tsx';

/** Opens the choice of what the conversation is merged into. */
export function MergeButton({ id, title, isClaimed }: { id: string; title: string; isClaimed: boolean }) {
  return (
    <Dialog
      trigger={<IconButton icon={Merge} label="Merge into another conversation" data-shortcut="merge" />}
      title="Merge into another conversation"
      description="For a contact who wrote twice about the same thing. Merging cannot be undone."
    >
      {(close) => <MergeForm id={id} title={title} isClaimed={isClaimed} onDone={close} />}
    </Dialog>
  );
}
