'use client';

import { deleteSavedReply } from '#app/components/settings/saved-replies/actions.ts';
import type { SavedReplyForm } from '#app/components/settings/saved-replies/saved-reply-form.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { lazyPart, loading } from '#app/components/ui/lazy-part.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import type { SavedReplyView } from '#server/screens/settings/views.ts';

// Lazy, because it shares code with the composer, which would otherwise be in chunks of both pages.
const SavedReplyFields = lazyPart(
  () => import('#app/components/settings/saved-replies/saved-reply-form.tsx'),
  loading,
);

type Props = { saved?: SavedReplyView; form: SavedReplyForm };

/** Adds a saved reply, or edits the given one. */
export function SavedReplyDialog({ saved, form }: Props) {
  return (
    <Dialog
      trigger={newOrEditButton({ name: saved?.name, verb: 'Edit', create: 'Add saved reply' })}
      title={saved ? 'Edit saved reply' : 'Add saved reply'}
    >
      {(close) => <SavedReplyFields saved={saved} form={form} close={close} />}
    </Dialog>
  );
}

export function DeleteSavedReply({ id, name, isPrivate }: { id: string; name: string; isPrivate: boolean }) {
  return (
    <DeleteButton name={name} variant="quiet" act={() => deleteSavedReply(id)}>
      <p>
        {isPrivate
          ? 'Replies that were sent with it stay as they are.'
          : 'Nobody in the workspace will be able to insert it. Replies that were sent with it stay as they are.'}
      </p>
    </DeleteButton>
  );
}
