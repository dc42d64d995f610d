'use client';

import { addMailbox, chooseDefaultMailbox, renameMailbox } from '#app/components/settings/email/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { NameDialog } from '#app/components/ui/name-dialog.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';

/** Adds a mailbox on one of the verified `domains`. */
export function AddMailboxForm({ domains }: { domains: string[] }) {
  const [state, submit, pending] = useFormAction(addMailbox, () => toast.success('Mailbox added'));
  const form = useFormFocus(state);
  return (
    <form ref={form} action={submit} noValidate aria-label="Add a mailbox" className="grid gap-4 p-5">
      {state.problem ? <Alert>{state.problem}</Alert> : null}
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          state={state}
          name="address"
          label="Mailbox address"
          type="email"
          hint={`The whole address, on ${domains.join(' or ')}.`}
          placeholder={`support@${domains[0] ?? 'example.com'}`}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          state={state}
          name="name"
          label="Name"
          hint="Shown on automatic emails. Replies show the teammate’s name."
          placeholder="Support"
          autoComplete="off"
        />
      </div>
      <Button type="submit" aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Adding' : 'Add mailbox'}
      </Button>
    </form>
  );
}

type Props = { mailboxId: string; address: string; name: string };

export function RenameMailbox({ mailboxId, address, name }: Props) {
  return (
    <NameDialog
      trigger={<Button aria-label={`Rename ${address}`}>Rename</Button>}
      title="Rename mailbox"
      description={<span className="[overflow-wrap:anywhere]">{address}</span>}
      hint="Shown on automatic emails. Replies show the teammate’s name."
      name={name}
      confirm="Save"
      save={renameMailbox.bind(null, mailboxId)}
      onSaved={() => toast.success('Mailbox renamed')}
    />
  );
}

export function DefaultMailboxButton({ mailboxId, address }: { mailboxId: string; address: string }) {
  const { pending, start } = useAction(chooseDefaultMailbox, {
    failed: 'Could not change the default mailbox',
    done: `New conversations are sent from ${address}`,
  });
  return (
    <Button aria-label={`Make default: ${address}`} aria-busy={pending} onClick={() => start(mailboxId)}>
      {pending ? 'Saving' : 'Make default'}
    </Button>
  );
}
