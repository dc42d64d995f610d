'use client';

import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Dialog, type DialogProps } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type FormProps = {
  placeholder?: string;
  hint?: string;
  /** Current name, absent for a new object. */
  name?: string | undefined;
  confirm: string;
  save: (form: FormData) => Promise<Outcome<{ id: string }>>;
  onSaved: (id: string) => void;
};

type Props = FormProps & Pick<DialogProps, 'trigger' | 'title' | 'description'>;

/** Dialog to name a new object or rename an existing one. */
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
