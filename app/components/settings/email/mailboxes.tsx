import { removeMailbox } from '#app/components/settings/email/actions.ts';
import {
  AddMailboxForm,
  DefaultMailboxButton,
  RenameMailbox,
} from '#app/components/settings/email/mailbox-forms.tsx';
import { MailboxReceiving, TestMailButton } from '#app/components/settings/email/mailbox-receiving.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { EmailSettingsView, MailboxView } from '#server/screens/settings/channel-views.ts';

/** Lists mailboxes: what each received, and from which one new conversations are sent. */
export function Mailboxes({ view }: { view: EmailSettingsView }) {
  const { mailboxes, domains, planProblem, sendsMail } = view;
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).map(({ domain }) => domain);
  const defaultMailbox = mailboxes.find(({ isDefault }) => isDefault);
  return (
    <Section
      id="mailboxes"
      title="Mailboxes"
      about={`The addresses your team sends and receives email with. New conversations are sent from the default mailbox. If another provider receives a mailbox’s email, have it forward the email to the forwarding address.${mailboxes.length > 1 ? ' To remove the default mailbox, make another one the default first.' : ''}`}
    >
      {mailboxes.length === 0 ? (
        <p className="p-5 text-ink-soft">No mailboxes yet. Your first mailbox becomes the default.</p>
      ) : (
        <ul className="divide-y">
          {mailboxes.map((mailbox) => (
            <MailboxRow
              key={mailbox.id}
              mailbox={mailbox}
              mayTest={sendsMail}
              defaultAddress={mailboxes.length === 1 ? null : (defaultMailbox?.address ?? null)}
            />
          ))}
        </ul>
      )}
      {verified.length > 0 ? (
        <AddMailboxForm domains={verified} />
      ) : (
        <p className="p-5 text-ink-soft">
          {planProblem ?? 'Mailboxes need a verified domain. Add and verify one above first.'}
        </p>
      )}
      <FocusWhenLost on={`${defaultMailbox?.id} ${mailboxes.length}`} goTo="mailboxes" />
    </Section>
  );
}

/** `defaultAddress` is null for the only mailbox. */
type RowProps = { mailbox: MailboxView; mayTest: boolean; defaultAddress: string | null };

function MailboxRow({ mailbox, mayTest, defaultAddress }: RowProps) {
  const { id, name, address, isDefault, problem } = mailbox;
  return (
    <li aria-label={address} className="grid grid-cols-[minmax(0,1fr)] gap-2 px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{name}</span>
            {isDefault ? <Badge tone="accent">Default</Badge> : null}
          </p>
          <p className="text-ink-soft text-list [overflow-wrap:anywhere]">{address}</p>
          {problem ? (
            <p className="text-list">
              <StatusDot tone="waiting" wrap>
                <span>No email is sent from this mailbox. {problem}</span>
              </StatusDot>
            </p>
          ) : null}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {mayTest ? <TestMailButton mailboxId={id} address={address} /> : null}
          <RenameMailbox mailboxId={id} address={address} name={name} />
          {isDefault ? null : <DefaultMailboxButton mailboxId={id} address={address} />}
          {isDefault && defaultAddress !== null ? null : (
            <DeleteButton verb="Remove" name={address} act={removeMailbox.bind(null, id)}>
              <p>
                {defaultAddress === null
                  ? 'Its conversations stay. Replies by email need a new mailbox.'
                  : `Its conversations stay. Replies to them are sent from ${defaultAddress}.`}
              </p>
              <p>Email that contacts send to {address} no longer arrives here.</p>
            </DeleteButton>
          )}
        </div>
      </div>
      <MailboxReceiving mailbox={mailbox} />
    </li>
  );
}
