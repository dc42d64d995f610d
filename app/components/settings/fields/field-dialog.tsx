'use client';

import { useState } from 'react';
import { saveField } from '#app/components/settings/fields/actions.ts';
import { ChoicesEditor, useChoices } from '#app/components/settings/fields/choices-editor.tsx';
import { TYPE_NAMES } from '#app/components/settings/fields/type-names.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { CustomField, FieldSubject, FieldType } from '#server/screens/fields/views.ts';

type Props = { subject: FieldSubject; choicesMax: number; field?: CustomField };

/** Creates a field, or edits the given one. */
export function FieldDialog(props: Props) {
  const { subject, field } = props;
  return (
    <Dialog
      trigger={newOrEditButton({ name: field?.name, verb: 'Edit', create: `New ${subject} field` })}
      title={field ? `Edit the ${subject} field ${field.name}` : `New ${subject} field`}
    >
      {(close) => <FieldForm {...props} close={close} />}
    </Dialog>
  );
}

const HINTS: Record<FieldType, string> = {
  text: 'One line, such as an order number.',
  number: 'With decimals, such as a price.',
  date: 'A day, such as that of a renewal.',
  choice: 'One of the choices below.',
};

function FieldForm({ subject, choicesMax, close, ...current }: Props & { close: () => void }) {
  // A live refresh passes choices that another admin added: the form does not have them, but has not removed them.
  const [{ field }] = useState(current);
  const [type, setType] = useState<FieldType>(field?.type ?? 'text');
  const choices = useChoices(field?.choices ?? []);
  const sent = { id: field?.id ?? null, subject, ...choices.sent };
  const [state, submit, pending] = useFormAction(saveField.bind(null, sent), () => {
    toast.success(field ? 'Field changed' : 'Field created');
    close();
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <TextField
        state={state}
        name="name"
        label="Name"
        placeholder={subject === 'contact' ? 'Customer number' : 'Order number'}
        defaultValue={field?.name}
        autoComplete="off"
      />
      {field ? null : (
        <SelectField
          state={state}
          name="type"
          label="Type"
          hint={`${HINTS[type]} The type can’t be changed later.`}
          value={type}
          onChange={({ target }) => setType(target.value as FieldType)}
        >
          {Object.entries(TYPE_NAMES).map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {type === 'choice' ? (
        <ChoicesEditor
          choices={choices}
          max={choicesMax}
          problem={state.fields.choices}
          field={field}
          subject={subject}
        />
      ) : null}
      {/* Errors of fields are those of inputs by name. */}
      <input type="hidden" name="choices" />
      <FormFooter onCancel={close} submit={field ? 'Save' : 'Create field'} busy="Saving" pending={pending} />
    </ActionForm>
  );
}
