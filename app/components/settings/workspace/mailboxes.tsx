import { removeMailbox } from '#app/components/settings/workspace/actions.ts';
import {
  AddMailboxForm,
  DefaultMailboxButton,
  RenameMailbox,
} from '#app/components/settings/workspace/mailbox-forms.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { DomainView, MailboxView } from '#server/screens/settings/views.ts';

type Props = {
  mailboxes: MailboxView[];
  domains: DomainView[];
  /** Reason why no email can be sent, or null. */
  problem: string | null;
};

/** Lists mailboxes and the default one. */
export function Mailboxes({ mailboxes, domains, problem }: Props) {
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).map(({ domain }) => domain);
  const defaultMailbox = mailboxes.find(({ isDefault }) => isDefault);
  return (
    <Section
      id="mailboxes"
      title="Mailboxes"
      about="The addresses your team sends and receives email with. New conversations are sent from the default mailbox. While there are others, the default mailbox can’t be removed."
    >
      {mailboxes.length === 0 ? (
        <p className="p-5 text-ink-soft">No mailboxes yet. Your first mailbox becomes the default.</p>
      ) : (
        <ul className="divide-y">
          {mailboxes.map((mailbox) => (
            <MailboxRow
              key={mailbox.id}
              mailbox={mailbox}
              defaultAddress={mailboxes.length === 1 ? null : (defaultMailbox?.address ?? null)}
            />
          ))}
        </ul>
      )}
      {verified.length > 0 ? (
        <AddMailboxForm domains={verified} />
      ) : (
        <p className="p-5 text-ink-soft">
          {problem ?? 'Mailboxes need a verified domain. Add and verify one above first.'}
        </p>
      )}
      <FocusWhenLost on={`${defaultMailbox?.id} ${mailboxes.length}`} goTo="mailboxes" />
    </Section>
  );
}

/** `defaultAddress` is null for the only mailbox. */
type RowProps = { mailbox: MailboxView; defaultAddress: string | null };

function MailboxRow({ mailbox: { id, name, address, isDefault, problem }, defaultAddress }: RowProps) {
  return (
    <li
      aria-label={address}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3"
    >
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
    </li>
  );
}
