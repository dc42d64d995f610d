'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { addPasskey, removePasskey, startPasskey } from '#app/components/settings/account/actions.ts';
import { OwnPassword } from '#app/components/settings/account/own-password.tsx';
import { RecoveryCodes } from '#app/components/settings/account/recovery-codes.tsx';
import { DOT } from '#app/components/settings/device-row.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { createPasskey } from '#app/components/ui/ask-for-passkey.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { PasskeyView } from '#server/screens/settings/account-views.ts';

/** Lists the teammate's passkeys. They can add and remove them. */
export function Passkeys({ passkeys }: { passkeys: PasskeyView[] }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="max-w-[65ch] text-ink-soft">
        Sign in with your fingerprint, face or a security key instead of your password and a code. Once you
        have a passkey, nobody can sign in with your password only.
      </p>
      {passkeys.length > 0 ? (
        <ul aria-labelledby="passkeys" className="divide-y rounded-lg border">
          {passkeys.map((passkey) => (
            <Item key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      ) : null}
      <AddDialog />
      <FocusWhenLost on={passkeys.length} goTo="passkeys" />
    </div>
  );
}

function Item({ passkey }: { passkey: PasskeyView }) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-ink-soft text-list">
          Added <RelativeTime at={createdAt} />
          {lastUsedAt === null ? (
            `${DOT}Not used yet`
          ) : (
            <>
              {DOT}Last used <RelativeTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Dialog
        trigger={
          <Button variant="quiet" aria-label={`Remove ${name}`}>
            Remove
          </Button>
        }
        title={`Remove ${name}?`}
      >
        {(close) => <RemoveForm passkey={passkey} close={close} />}
      </Dialog>
    </li>
  );
}

function RemoveForm({ passkey: { id, name }, close }: { passkey: PasskeyView; close: () => void }) {
  const [state, submit, pending] = useFormAction(
    (form) => removePasskey(id, form),
    () => {
      close();
      toast.success(`${name} was removed`);
    },
  );
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <p className="text-ink-soft">
        You can’t sign in with it any more. Remove it from your device or password manager, too.
      </p>
      <OwnPassword state={state} />
      <FormFooter onCancel={close} submit="Remove" busy="Removing" pending={pending} variant="danger" />
    </ActionForm>
  );
}

/** Refreshes the page when it is closed, because it may show recovery codes that the page must not replace before. */
function AddDialog() {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [codes, setCodes] = useState<string[]>([]);
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    if (next) setCodes([]);
    else router.refresh();
  };
  const onAdded = (newCodes: string[]) => {
    if (newCodes.length > 0) return setCodes(newCodes);
    onOpenChange(false);
    toast.success('Passkey added');
  };
  return (
    <Dialog
      trigger={<Button className="w-fit max-md:w-full">Add passkey</Button>}
      control={{ open, onOpenChange }}
      title={codes.length > 0 ? 'Store your recovery codes' : 'Add a passkey'}
    >
      {(close) =>
        codes.length > 0 ? (
          <RecoveryCodes codes={codes} close={close} />
        ) : (
          <AddForm onAdded={onAdded} close={close} />
        )
      }
    </Dialog>
  );
}

function AddForm({ onAdded, close }: { onAdded: (codes: string[]) => void; close: () => void }) {
  const [state, submit, pending] = useFormAction(add, onAdded);
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="Such as the device or password manager that stores it."
        maxLength={60}
        required
      />
      <OwnPassword state={state} />
      <FormFooter onCancel={close} submit="Continue" busy="Waiting for your passkey" pending={pending} />
    </ActionForm>
  );
}

async function add(form: FormData): Promise<Outcome<string[]>> {
  const options = await startPasskey(textOf(form, 'password'));
  if (!options.done) return options;
  const created = await createPasskey(options.value);
  return created.done ? addPasskey(textOf(form, 'name'), created.value) : created;
}
