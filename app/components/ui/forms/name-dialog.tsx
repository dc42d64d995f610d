'use client';

import { TextField } from '#app/components/ui/fields/text-field.tsx';
import { ActionForm } from '#app/components/ui/forms/action-form.tsx';
import { FormFooter } from '#app/components/ui/forms/form-footer.tsx';
import { useFormAction } from '#app/components/ui/forms/use-form-action.ts';
import { Dialog, type DialogProps } from '#app/components/ui/overlays/dialog.tsx';
import type { Outcome } from '#app/lib/outcome/outcome.ts';

type FormProps = {
  placeholder?: string;
  hint?: string;
  /** The name now; left out for something new. */
  name?: string | undefined;
  confirm: string;
  save: (form: FormData) => Promise<Outcome<{ id: string }>>;
  /** Called once it is saved. */
  onSaved: (id: string) => void;
};

type Props = FormProps & Pick<DialogProps, 'trigger' | 'title' | 'description'>;

/** The button that asks for the name of something, new or renamed, and the form it opens. */
export function NameDialog({ trigger, title, description, ...form }: Props) {
  return (
    <Dialog trigger={trigger} title={title} description={description}>
      {(close) => <NameForm {...form} close={close} />}
    </Dialog>
  );
}

function NameForm({
  placeholder,
  hint,
  name,
  confirm,
  save,
  onSaved,
  close,
}: FormProps & { close: () => void }) {
  const [state, submit, pending] = useFormAction(save, ({ id }) => {
    close();
    onSaved(id);
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <TextField
        state={state}
        name="name"
        label="Name"
        placeholder={placeholder}
        {...(hint ? { hint } : {})}
        defaultValue={name}
        autoComplete="off"
      />
      <FormFooter onCancel={close} submit={confirm} busy="Saving" pending={pending} />
    </ActionForm>
  );
}
