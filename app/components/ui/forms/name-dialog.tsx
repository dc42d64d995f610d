'use client';

import type { ReactNode } from 'react';
import { Alert } from '#app/components/ui/alert.tsx';
import { TextField } from '#app/components/ui/fields/text-field.tsx';
import { ActionForm } from '#app/components/ui/forms/action-form.tsx';
import { FormFooter } from '#app/components/ui/forms/form-footer.tsx';
import { useFormAction } from '#app/components/ui/forms/use-form-action.ts';
import { Dialog } from '#app/components/ui/overlays/dialog.tsx';
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

type Props = FormProps & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  title: string;
  description?: ReactNode;
};

/** Asks for the name of something, new or renamed. */
export function NameDialog({ control, title, description, ...form }: Props) {
  return (
    <Dialog control={control} title={title} description={description}>
      <NameForm {...form} close={() => control.onOpenChange(false)} />
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
    <ActionForm state={state} submit={submit} pending={pending} className="grid gap-4">
      {state.problem ? <Alert>{state.problem}</Alert> : null}
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
