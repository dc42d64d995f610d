'use client';

import { useRouter } from 'next/navigation';
import {
  deleteWebhook,
  replayWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  setWebhookEnabled,
  testWebhook,
} from '#app/components/settings/developers/webhook-actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';

type Props = { id: string };

export function TestButton({ id }: Props) {
  const { pending, start } = useAction(() => testWebhook(id), {
    failed: 'Could not send a test event',
    done: 'Test event sent',
  });
  return (
    <Button onClick={() => start()} disabled={pending}>
      Send test event
    </Button>
  );
}

export function EnableButton({ id, enabled }: Props & { enabled: boolean }) {
  const { pending, start } = useAction(() => setWebhookEnabled(id, !enabled), {
    failed: enabled ? 'Could not disable the webhook' : 'Could not enable the webhook',
    done: enabled ? 'Webhook disabled' : 'Webhook enabled',
  });
  return (
    <Button onClick={() => start()} disabled={pending}>
      {enabled ? 'Disable' : 'Enable'}
    </Button>
  );
}

export function RotateButton({ id }: Props) {
  const { run } = useAction(() => rotateWebhookSecret(id), {
    failed: 'Could not rotate the secret',
    done: 'Secret rotated',
  });
  return (
    <ConfirmDialog
      trigger={<Button variant="quiet">Rotate secret</Button>}
      title="Rotate the secret?"
      confirm="Rotate"
      variant="primary"
      onConfirm={() => run()}
    >
      <p>
        For 24 hours, events are signed with both secrets. Change the secret in your program in that time.
      </p>
    </ConfirmDialog>
  );
}

export function ResendButton({ id, deliveryId }: Props & { deliveryId: string }) {
  const { pending, start } = useAction(() => resendWebhookDelivery(id, deliveryId), {
    failed: 'Could not send the event again',
    done: 'Event is sent again',
  });
  return (
    <Button onClick={() => start()} disabled={pending}>
      Send again
    </Button>
  );
}

export function DeleteWebhookButton({ id }: Props) {
  const router = useRouter();
  return (
    <DeleteButton
      name="webhook"
      title="Delete this webhook?"
      done="Webhook deleted"
      act={() => deleteWebhook(id)}
      onDone={() => router.push('/settings/developers')}
    >
      <p>Nothing more is sent to it, and its deliveries are no longer shown. This can’t be undone.</p>
    </DeleteButton>
  );
}

const HOURS = [
  [1, 'Last hour'],
  [6, 'Last 6 hours'],
  [24, 'Last 24 hours'],
  [72, 'Last 3 days'],
  [168, 'Last 7 days'],
] as const;

export function ReplayDialog({ id, historyDays }: Props & { historyDays: number }) {
  return (
    <Dialog
      trigger={<Button>Replay</Button>}
      title="Replay events"
      description="Sends the events that this webhook has missed, oldest first. Events that arrived are not sent again."
    >
      {(close) => <ReplayForm id={id} historyDays={historyDays} close={close} />}
    </Dialog>
  );
}

function ReplayForm({ id, historyDays, close }: Props & { historyDays: number; close: () => void }) {
  const [state, submit, pending] = useFormAction(
    (form) => replayWebhook(id, form),
    () => {
      close();
      toast.success('Missed events are being sent');
    },
  );
  return (
    <ActionForm state={state} submit={submit} className="grid gap-5">
      <SelectField state={state} name="hours" label="Events of the" defaultValue="24">
        {HOURS.filter(([hours]) => hours <= 24 * historyDays).map(([hours, label]) => (
          <option key={hours} value={hours}>
            {label}
          </option>
        ))}
      </SelectField>
      <FormFooter onCancel={close} submit="Replay" busy="Starting" pending={pending} />
    </ActionForm>
  );
}
