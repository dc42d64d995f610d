'use client';

import { lazy, Suspense } from 'react';
import { deleteSavedReply } from '#app/components/settings/saved-replies/actions.ts';
import type { SavedReplyForm } from '#app/components/settings/saved-replies/saved-reply-form.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import type { SavedReplyView } from '#server/screens/settings/views.ts';

// Loaded when it is opened: it shares code with the composer, which would otherwise be in chunks of both pages.
const SavedReplyFields = lazy(() => import('#app/components/settings/saved-replies/saved-reply-form.tsx'));

type Props = { saved?: SavedReplyView; form: SavedReplyForm };

/** Adds a saved reply, or edits the given one. */
export function SavedReplyDialog({ saved, form }: Props) {
  return (
    <Dialog
      trigger={newOrEditButton({ name: saved?.name, verb: 'Edit', create: 'Add saved reply' })}
      title={saved ? 'Edit saved reply' : 'Add saved reply'}
    >
      {(close) => (
        <Suspense fallback={<p className="text-ink-soft text-list">Loading…</p>}>
          <SavedReplyFields saved={saved} form={form} close={close} />
        </Suspense>
      )}
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
