'use client';

import type { ReactNode } from 'react';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';

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
