'use client';

import { useId, useRef, useState } from 'react';
import { AttachButton } from '#app/components/composer/attach-button.tsx';
import { DraftFiles } from '#app/components/composer/draft-files.tsx';
import { useEnclosures } from '#app/components/composer/use-enclosures.ts';
import { saveSavedReply } from '#app/components/settings/saved-replies/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Field, FieldError, fieldProps } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Textarea } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { FormState } from '#app/lib/form-state.ts';
import type { SavedRepliesView, SavedReplyView } from '#server/screens/settings/views.ts';

/** Choices and limits of the form. */
export type SavedReplyForm = Pick<SavedRepliesView, 'workspaceId' | 'folders' | 'variables' | 'limits'>;

type FormProps = { saved: SavedReplyView | undefined; form: SavedReplyForm; close: () => void };

/** Adds a saved reply, or edits the given one. */
export default function SavedReplyFields({
  saved: current,
  form: { workspaceId, folders, variables, limits },
  close,
}: FormProps) {
  const foldersId = useId();
  // A live refresh passes what a colleague saved, but the form saves over what it has shown.
  const [saved] = useState(current);
  const files = useEnclosures({
    workspaceId,
    filesMax: limits.files,
    suggestedCc: [],
    initialFiles: saved?.files,
  });
  const shown = saved ? { id: saved.id, updatedAt: saved.updatedAt } : null;
  const which = { shown, files: files.uploaded };
  const [state, submit, pending] = useFormAction(saveSavedReply.bind(null, which), () => {
    toast.success(saved ? 'Saved reply changed' : 'Saved reply added');
    close();
  });
  // Only its creator can make it private.
  const mayBePrivate = saved === undefined || saved.isYours;
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <TextField
        state={state}
        name="name"
        label="Name"
        placeholder="Refund policy"
        dir="auto"
        defaultValue={saved?.name}
        autoComplete="off"
        autoFocus
      />
      <ContentField state={state} content={saved?.content} variables={variables} maxLength={limits.content} />
      <div className="grid gap-1">
        <AttachButton onPick={files.addFiles} isNamed />
        <div className="-mx-3">
          <DraftFiles files={files.files} onRemove={files.removeFile} label="Files of the saved reply" />
        </div>
        {state.fields.files ? <FieldError>{state.fields.files}</FieldError> : null}
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          state={state}
          name="folder"
          label="Folder (optional)"
          list={foldersId}
          defaultValue={saved?.folder}
          autoComplete="off"
        />
        <datalist id={foldersId}>
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
        <Field label="Visible to">
          {({ id }) => (
            <Select id={id} name="visibility" defaultValue={saved?.isPrivate ? 'private' : 'shared'}>
              <option value="shared">Everyone in the workspace</option>
              {mayBePrivate ? <option value="private">Only you</option> : null}
            </Select>
          )}
        </Field>
      </div>
      <FormFooter
        onCancel={close}
        submit={saved ? 'Save' : 'Add saved reply'}
        busy={files.isUploading ? 'Uploading' : 'Saving'}
        disabled={files.isUploading}
        pending={pending || files.isUploading}
      />
    </ActionForm>
  );
}

type ContentFieldProps = {
  state: FormState;
  content: string | undefined;
  variables: SavedRepliesView['variables'];
  maxLength: number;
};

/** The text, and a select that inserts a variable at the cursor. */
function ContentField({ state, content, variables, maxLength }: ContentFieldProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const insert = (variable: string) => {
    const { current } = box;
    if (!current || variable === '') return;
    current.setRangeText(`{{${variable}}}`, current.selectionStart, current.selectionEnd, 'end');
    current.focus();
  };
  return (
    <div className="grid gap-2">
      <Field
        label="Reply"
        hint={`At most ${maxLength.toLocaleString('en')} characters. {{contact.first_name|there}} inserts “there” if the first name is unknown.`}
        problem={state.fields.content}
      >
        {(control) => (
          <Textarea
            key={state.attempt}
            ref={box}
            rows={7}
            dir="auto"
            placeholder="Hi {{contact.first_name|there}},"
            {...fieldProps(control, { state, name: 'content', defaultValue: content })}
          />
        )}
      </Field>
      <span className="w-64 max-md:w-full">
        <Select aria-label="Insert a variable" value="" onChange={({ target }) => insert(target.value)}>
          <option value="">Insert a variable</option>
          {variables.map(({ name, about }) => (
            <option key={name} value={name}>
              {about}
            </option>
          ))}
        </Select>
      </span>
    </div>
  );
}
