'use client';

import { refetchTopic } from '#app/components/live/page-data.ts';
import { forwardMessage } from '#app/components/thread/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { TextAreaField, TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';

type Which = { conversationId: string; messageId: string };

type Props = Which & { control: { open: boolean; onOpenChange: (open: boolean) => void } };

/** Forwards a message with its files by email. */
export function ForwardDialog({ control, ...which }: Props) {
  return (
    <Dialog
      control={control}
      title="Forward message"
      description="Sent by email with its files. The contact won’t see it."
    >
      {(close) => <ForwardForm {...which} close={close} />}
    </Dialog>
  );
}

function ForwardForm({ close, ...which }: Which & { close: () => void }) {
  const attempt = `forward:${which.messageId}`;
  const forward = (form: FormData) => forwardMessage(which, form, attemptId(attempt, [...form]));
  const [state, submit, pending] = useFormAction(forward, () => {
    endAttempt(attempt);
    toast.success('Message forwarded', { description: 'The conversation shows whether it was sent.' });
    void refetchTopic('conversations');
    close();
  });
  return (
    <ActionForm state={state} submit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TextField
        state={state}
        name="to"
        label="To"
        type="email"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
      />
      <TextAreaField state={state} name="content" label="Message (optional)" rows={4} />
      <FormFooter onCancel={close} submit="Forward" busy="Forwarding" pending={pending} />
    </ActionForm>
  );
}
