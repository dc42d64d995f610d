'use client';

import { useState } from 'react';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { addSavedView, deleteSavedView, renameSavedView } from '#app/components/saved-views/actions.ts';
import { useOpenSavedViews } from '#app/components/saved-views/use-saved-views.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { NameDialog } from '#app/components/ui/name-dialog.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { type InboxView, inboxPath, listInput } from '#app/lib/inbox-path.ts';
import type { SavedView } from '#server/screens/inbox/views.ts';

const buttonClass =
  'inline-flex h-6 max-w-full items-center rounded-md px-2 text-ink-soft text-xs hover:bg-hover hover:text-ink max-md:h-11';

type Props = { view: InboxView; mayShare: boolean };

/** Saves the filters of the list as a view, or renames and deletes the saved views on screen. */
export function SavedViewControls(props: Props) {
  const open = useOpenSavedViews();
  if (open.length === 0) return listsAll(props.view) ? null : <SaveView {...props} />;
  return open
    .filter(({ mayEdit }) => mayEdit)
    .map((saved) => <EditView key={saved.id} saved={saved} showsName={open.length > 1} />);
}

/** Returns whether a view is the tab All without filters and in the default order. */
function listsAll(view: InboxView): boolean {
  return inboxPath({ ...view, selected: undefined }) === inboxPath({ status: 'all', selected: undefined });
}

function SaveView(props: Props) {
  return (
    <Dialog
      trigger={
        <button type="button" data-shortcut="save-view" className={buttonClass}>
          Save view
        </button>
      }
      title="Save view"
      description="The view appears in the navigation, with its filters and order."
    >
      {(close) => <SaveForm {...props} close={close} />}
    </Dialog>
  );
}

function SaveForm({ view, mayShare, close }: Props & { close: () => void }) {
  const [state, submit, pending] = useFormAction(addSavedView.bind(null, listInput(view)), () => {
    close();
    toast.success('View saved');
    void refetchTopic('conversations');
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <TextField
        state={state}
        name="name"
        label="Name"
        placeholder="Urgent and unassigned"
        autoComplete="off"
      />
      {mayShare ? (
        <Checkbox
          name="shared"
          label="Share with the workspace"
          hint="Everyone in the workspace sees this view."
        />
      ) : null}
      <FormFooter onCancel={close} submit="Save" busy="Saving" pending={pending} />
    </ActionForm>
  );
}

type EditProps = {
  saved: SavedView;
  /** The buttons show the name, because other views have the same filters. */
  showsName: boolean;
};

function EditView({ saved: { id, name, isShared }, showsName }: EditProps) {
  const shownName = showsName ? ` ${name}` : '';
  const [deleting, setDeleting] = useState(false);
  const onChanged = (done: string) => {
    toast.success(done);
    void refetchTopic('conversations');
  };
  return (
    <>
      <NameDialog
        trigger={
          <button
            type="button"
            aria-label={`Rename view ${name}`}
            data-shortcut="rename-view"
            className={buttonClass}
          >
            <span className="truncate">Rename view{shownName}</span>
          </button>
        }
        title="Rename view"
        name={name}
        confirm="Rename"
        save={renameSavedView.bind(null, id)}
        onSaved={() => onChanged('View renamed')}
      />
      <ConfirmDialog
        trigger={
          <button
            type="button"
            aria-label={`Delete view ${name}`}
            data-shortcut="delete-view"
            className={buttonClass}
          >
            <span className="truncate">Delete view{shownName}</span>
          </button>
        }
        control={{ open: deleting, onOpenChange: setDeleting }}
        title={`Delete the view ${name}?`}
        confirm="Delete"
        onConfirm={async () => {
          const outcome = await toastOutcome(deleteSavedView(id), {
            failed: 'Could not delete the view',
            done: 'View deleted',
          });
          await refetchTopic('conversations');
          return outcome.done;
        }}
      >
        <p>{isShared ? 'Everyone will lose this view.' : 'Its conversations stay.'}</p>
      </ConfirmDialog>
    </>
  );
}
