import Link from 'next/link';
import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { AgentSwitch } from '#app/components/inbox/agent-switch.tsx';
import { ConversationDetails } from '#app/components/inbox/conversation-details.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { DescriptionItem, DescriptionList } from '#app/components/ui/description-list.tsx';
import { contactLabel } from '#server/screens/contacts/views.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

type Props = Pick<OpenedView, 'conversation' | 'actions' | 'agent'>;

/** Who the contact is, and how the conversation is handled. */
export function ContactDetails({ conversation, actions, agent }: Props) {
  const { contact } = conversation;
  const contactName = contact ? contactLabel(contact) : 'Unknown contact';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <section aria-label="Contact" className="grid grid-cols-[minmax(0,1fr)] gap-4 border-b p-4">
        <div className="flex items-center gap-2.5">
          <Avatar name={contactName} tone="neutral" />
          <h3 className="min-w-0 truncate">
            {contact ? (
              <Link href={`/contacts/${contact.id}`} prefetch={false} className="hover:underline">
                {contactName}
              </Link>
            ) : (
              contactName
            )}
          </h3>
        </div>
        {conversation.contactClaimed ? (
          <div className="grid justify-items-start gap-1.5 text-ink-soft text-list">
            <AddressNotVerified />
            <p>A visitor gave this address in the web chat. It has not been verified.</p>
          </div>
        ) : null}
        <DescriptionList>
          <DescriptionItem name="Email">{contact?.email}</DescriptionItem>
          <DescriptionItem name="Phone">{contact?.phone}</DescriptionItem>
          <DescriptionItem name="Company">{contact?.companyName}</DescriptionItem>
        </DescriptionList>
      </section>
      <ConversationDetails conversation={conversation} actions={actions} />
      {agent ? (
        <section aria-label="AI agent" className="border-t p-4">
          <AgentSwitch conversationId={conversation.id} {...agent} />
        </section>
      ) : null}
    </div>
  );
}
