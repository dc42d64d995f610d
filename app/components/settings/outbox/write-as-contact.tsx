'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { writeAsContact } from '#app/components/settings/outbox/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { TextAreaField, TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { CHANNEL_LIST, CHANNEL_NAMES } from '#server/screens/settings/channel-views.ts';

/** The web chat has its own page, on which anybody writes as a visitor. */
const CHANNELS = CHANNEL_LIST.filter((channel) => channel !== 'webchat');

/** Button and form to write to the test workspace as a contact. Opens the conversation afterwards. */
export function WriteAsContact() {
  return (
    <Dialog
      trigger={<Button variant="primary">Write as a contact</Button>}
      title="Write as a contact"
      description="The message arrives as if the contact had sent it."
    >
      {(close) => <MessageForm close={close} />}
    </Dialog>
  );
}

function MessageForm({ close }: { close: () => void }) {
  const router = useRouter();
  const [channel, setChannel] = useState('email');
  const [state, submit, pending] = useFormAction(writeAsContact, ({ conversationId }) => {
    close();
    router.push(`/inbox?selected=${conversationId}`);
  });
  return (
    <ActionForm state={state} submit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <SelectField
        state={state}
        name="channel"
        label="Channel"
        value={channel}
        onChange={({ currentTarget }) => setChannel(currentTarget.value)}
      >
        {CHANNELS.map((each) => (
          <option key={each} value={each}>
            {CHANNEL_NAMES[each].name}
          </option>
        ))}
      </SelectField>
      <TextField state={state} name="name" label="Name (optional)" autoComplete="off" />
      <TextField
        state={state}
        name="address"
        label={ADDRESS_LABELS[channel] ?? 'User name'}
        autoComplete="off"
        type={channel === 'email' ? 'email' : 'text'}
      />
      {channel === 'email' ? (
        <TextField
          state={state}
          name="subject"
          label="Subject"
          hint="Without a subject, the message continues the contact’s latest email conversation."
          autoComplete="off"
        />
      ) : null}
      <TextAreaField state={state} name="content" label="Message" rows={5} />
      <FormFooter onCancel={close} submit="Receive message" busy="Receiving" pending={pending} />
    </ActionForm>
  );
}

const ADDRESS_LABELS: Record<string, string> = { email: 'Email address', whatsapp: 'Phone number' };
