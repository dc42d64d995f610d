'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { useFormFocus } from '#app/components/ui/use-form-focus.ts';
import { renameMailbox } from '#app/components/workspace/actions.ts';

type Props = { mailboxId: string; address: string; name: string };

/** The button that renames a mailbox, and the form it opens. */
export function RenameMailbox(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`Rename ${props.address}`} onClick={() => setOpen(true)}>
        Rename
      </Button>
      <Dialog
        control={{ open, onOpenChange: setOpen }}
        title="Rename mailbox"
        description={<span className="[overflow-wrap:anywhere]">{props.address}</span>}
      >
        <NameForm {...props} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function NameForm({ mailboxId, name, close }: Props & { close: () => void }) {
  const [state, submit, pending] = useFormAction(renameMailbox.bind(null, mailboxId), () => {
    toast.success('Mailbox renamed');
    close();
  });
  const form = useFormFocus(state);
  return (
    <form ref={form} action={submit} noValidate className="grid gap-4">
      {state.problem ? <Alert>{state.problem}</Alert> : null}
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="Contacts see it as the sender."
        defaultValue={name}
        autoComplete="off"
      />
      <div className="flex justify-end gap-2 max-md:flex-col-reverse">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" kind="primary" aria-busy={pending}>
          {pending ? 'Saving' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
