'use client';

import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type FormProps = {
  placeholder: string;
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
  description?: string;
};

/** Asks for the name of something, new or renamed. */
export function NameDialog({ control, title, description, ...form }: Props) {
  return (
    <Dialog control={control} title={title} description={description}>
      <NameForm {...form} close={() => control.onOpenChange(false)} />
    </Dialog>
  );
}

function NameForm({ placeholder, name, confirm, save, onSaved, close }: FormProps & { close: () => void }) {
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
        defaultValue={name}
        autoComplete="off"
      />
      <div className="flex justify-end gap-2 max-md:flex-col-reverse">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" kind="primary" aria-busy={pending}>
          {pending ? 'Saving' : confirm}
        </Button>
      </div>
    </ActionForm>
  );
}
