'use client';

import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { pastedFiles, useEnclosures } from '#app/components/composer/use-enclosures.ts';
import type { SharedContent } from '#app/components/drafts/shared-content.ts';
import { startConversation } from '#app/components/inbox/actions.ts';
import { NewCopies, NewFiles } from '#app/components/inbox/new-enclosures.tsx';
import { NewFrom } from '#app/components/inbox/new-from.tsx';
import { RecipientField } from '#app/components/inbox/recipient-field.tsx';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { Input, Textarea } from '#app/components/ui/input.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { NewConversationView } from '#server/screens/inbox/composer-views.ts';

type FormProps = {
  view: NewConversationView;
  toEmail?: string;
  /** Text and files that the form starts with. */
  shared?: SharedContent;
  /** Opens the new conversation. */
  onStarted?: (path: string) => void;
  onDone: () => void;
};

type Props = Omit<FormProps, 'onDone'> & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
};

const ATTEMPT = 'conversation';
const NOTHING: SharedContent = { text: '', files: [] };

/** Dialog that starts an email conversation and opens it. */
export default function NewConversationForm({ control, ...form }: Props) {
  return (
    <Dialog
      control={control}
      title="New conversation"
      description="An email from your team. The contact’s replies appear in the inbox."
    >
      {(close) => <Fields {...form} onDone={close} />}
    </Dialog>
  );
}

function Fields({ view, toEmail = '', shared = NOTHING, onStarted = showInbox, onDone }: FormProps) {
  const start = (form: FormData) => startConversation(form, attemptId(ATTEMPT, [...form]));
  const [state, submit, pending] = useFormAction(start, ({ id }) => {
    endAttempt(ATTEMPT);
    onDone();
    toast.success('Conversation started');
    onStarted(inboxPath({ status: 'open', selected: id }));
    void refetchTopic('conversations');
  });
  const [to, setTo] = useState({ email: toEmail, name: '' });
  const enclosures = useEnclosures({ ...view, suggestedCc: [] });
  const { addFiles } = enclosures;
  const toAdd = useRef(shared.files);
  useEffect(() => {
    const files = toAdd.current;
    // Each file is uploaded once, while `addFiles` changes with each render.
    toAdd.current = [];
    if (files.length > 0) addFiles(files);
  }, [addFiles]);
  return (
    <ActionForm state={state} submit={submit} aria-label="New conversation" className="grid gap-4">
      <MailProblem />
      <div className="grid gap-2">
        <RecipientField to={to} onTo={setTo} problem={state.fields.to_email} />
        <NewCopies enclosures={enclosures} problem={state.fields.cc ?? state.fields.bcc} />
      </div>
      <NewFrom email={to.email} problem={state.fields.mailbox} />
      <Field
        label="Name"
        hint="For new contacts only. Existing contacts keep their name."
        problem={state.fields.to_name}
      >
        {({ id, describedBy, invalid }) => (
          <Input
            id={id}
            name="to_name"
            autoComplete="off"
            value={to.name}
            onChange={({ target }) => setTo({ ...to, name: target.value })}
            aria-describedby={describedBy}
            aria-invalid={invalid}
          />
        )}
      </Field>
      <Field label="Subject" problem={state.fields.subject}>
        {({ id, describedBy, invalid }) => (
          <Input
            id={id}
            name="subject"
            autoComplete="off"
            aria-describedby={describedBy}
            aria-invalid={invalid}
          />
        )}
      </Field>
      <Field label="Message" problem={state.fields.content?.replace('The content ', 'The message ')}>
        {({ id, describedBy, invalid }) => (
          <Textarea
            id={id}
            name="content"
            // The shared files below it are in view.
            rows={shared.files.length > 0 ? 4 : 8}
            defaultValue={shared.text}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onPaste={(event) => {
              const files = pastedFiles(event.clipboardData);
              if (files.length === 0) return;
              event.preventDefault();
              addFiles(files);
            }}
          />
        )}
      </Field>
      <NewFiles enclosures={enclosures} problem={state.fields.files} />
      <FormFooter submit="Send" busy="Sending" pending={pending} disabled={enclosures.isUploading} />
    </ActionForm>
  );
}

/** Warns up front that no email can be sent, and why. */
function MailProblem() {
  const screens = useScreens();
  const { data: problem } = useQuery({
    queryKey: ['conversations.mailProblem'],
    queryFn: ({ signal }) => screens.conversations.mailProblem.query(undefined, { signal }),
  });
  return (
    <div role="status" className="contents">
      {problem ? (
        <p className="flex gap-2 rounded-lg border border-note-line bg-note p-3 text-list text-note-ink">
          <TriangleAlert aria-hidden size={16} className="mt-px shrink-0" />
          <span>{problem}</span>
        </p>
      ) : null}
    </div>
  );
}
