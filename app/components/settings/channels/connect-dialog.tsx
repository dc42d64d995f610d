'use client';

import { connectAccount } from '#app/components/settings/channels/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { ChannelView } from '#server/screens/settings/channel-views.ts';

/** `how` selects the label: first account, another account, or reconnecting one. */
type Props = { view: ChannelView; how: 'first' | 'another' | 'again'; account?: string };

const LABELS = { first: 'Connect', another: 'Connect another', again: 'Reconnect' };

/** Button and form to connect an account of a channel. */
export function ConnectDialog({ view, how, account }: Props) {
  const { name } = view;
  return (
    <Dialog
      trigger={
        <Button
          variant={how === 'another' ? 'secondary' : 'primary'}
          aria-label={how === 'first' ? `Connect ${name}` : `${LABELS[how]}: ${account ?? name}`}
        >
          {LABELS[how]}
        </Button>
      }
      title={`Connect ${name}`}
    >
      {(close) => <ConnectForm view={view} close={close} />}
    </Dialog>
  );
}

function ConnectForm({
  view: { channel, name, fields, steps },
  close,
}: {
  view: ChannelView;
  close: () => void;
}) {
  const names = fields.map((field) => field.name);
  const [state, submit, pending] = useFormAction(
    connectAccount.bind(null, { channel, names }),
    ({ needsWebhook }) => {
      toast.success(needsWebhook ? 'Saved. One step left.' : `${name} is connected`);
      close();
    },
  );
  return (
    <ActionForm state={state} submit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ol className="grid list-decimal gap-1.5 pl-5 text-ink-soft text-list">
        {steps.map((step) => (
          <li key={step} className="text-pretty [overflow-wrap:anywhere]">
            {step}
          </li>
        ))}
      </ol>
      {fields.map(({ name: field, label, hint, secret, optional = false }) => (
        <TextField
          key={field}
          state={state}
          name={field}
          label={label}
          hint={optional ? `Optional. ${hint}` : hint}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
          spellCheck={false}
        />
      ))}
      <p className="text-ink-soft text-list">
        Tokens and secrets are stored encrypted and never shown again.
      </p>
      <FormFooter onCancel={close} submit="Connect" busy="Connecting" pending={pending} />
    </ActionForm>
  );
}
