import Link from 'next/link';
import { MergeContactButton } from '#app/components/contacts/merge-contact-button.tsx';
import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { CustomFieldsPart } from '#app/components/custom-fields/custom-fields-part.tsx';
import { AgentSwitch } from '#app/components/inbox/agent-switch.tsx';
import { BlockedNotices } from '#app/components/inbox/blocked-notices.tsx';
import { ChangeFields } from '#app/components/inbox/change-fields.tsx';
import { ClaimControls } from '#app/components/inbox/claim-controls.tsx';
import { ContactHistory } from '#app/components/inbox/contact-history.tsx';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { ReadersButton } from '#app/components/inbox/readers-button.tsx';
import { SlaClock } from '#app/components/inbox/sla-clock.tsx';
import { TagEditor } from '#app/components/inbox/tag-editor.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { DescriptionItem, DescriptionList, TimeItem } from '#app/components/ui/description-list.tsx';
import { contactLabel } from '#server/screens/contacts/views.ts';
import type { ActionsView, ConversationView, OpenedView } from '#server/screens/inbox/views.ts';

type Props = Pick<OpenedView, 'conversation' | 'actions' | 'agent'>;

export function ContactDetails({ conversation, actions, agent }: Props) {
  const { contact } = conversation;
  const contactName = contact ? contactLabel(contact) : 'Unknown contact';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <section aria-label="Contact" className="grid grid-cols-[minmax(0,1fr)] gap-4 border-b p-4">
        <div className="flex items-center gap-2.5">
          <Avatar name={contactName} tone="neutral" contactId={contact?.id} />
          <h3 className="min-w-0 [overflow-wrap:anywhere]">
            {contact ? (
              <Link href={`/contacts/${contact.id}`} prefetch={false} className="hover:underline">
                {contactName}
              </Link>
            ) : (
              contactName
            )}
          </h3>
        </div>
        {contact ? <BlockedNotices conversation={conversation} /> : null}
        {conversation.contactClaimed || conversation.isLinked ? (
          <ClaimNotice conversation={conversation} mayChange={!isReadOnly(conversation, actions)} />
        ) : null}
        <DescriptionList>
          <DescriptionItem name="Email">{contact?.email}</DescriptionItem>
          <DescriptionItem name="Phone">{contact?.phone}</DescriptionItem>
          <DescriptionItem name="Company">{contact?.companyName}</DescriptionItem>
        </DescriptionList>
        {contact ? (
          <CustomFieldsPart subject="contact" id={contact.id} mayChange={actions.problem === null} />
        ) : null}
        {contact ? <ContactHistory conversation={conversation} contactId={contact.id} /> : null}
        {contact && actions.problem === null ? (
          <MergeContactButton
            into={{ id: contact.id, label: contactName, name: contact.name }}
            label="Merge contact…"
            className="justify-self-start"
          />
        ) : null}
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

function isReadOnly({ mergedInto, removal }: ConversationView, { problem }: ActionsView): boolean {
  return problem !== null || mergedInto !== null || removal !== null;
}

type ConversationDetailsProps = { conversation: ConversationView; actions: ActionsView };

/** Editable fields, or plain values where the conversation cannot be changed. */
function ConversationDetails({ conversation, actions }: ConversationDetailsProps) {
  const { id, channel, clocks, createdAt, tags } = conversation;
  const isFixed = isReadOnly(conversation, actions);
  return (
    <section aria-labelledby="conversation-facts" className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <h3 id="conversation-facts">Conversation</h3>
      {isFixed ? (
        <PlainFields conversation={conversation} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <ChangeFields conversation={conversation} actions={actions} />
          <TagEditor id={id} tags={tags} />
        </div>
      )}
      <CustomFieldsPart subject="conversation" id={id} mayChange={!isFixed} />
      <DescriptionList>
        {clocks.length > 0 ? (
          <DescriptionItem name="SLA">
            <span className="grid justify-items-start gap-1 pt-0.5">
              {clocks.map((clock) => (
                <SlaClock key={clock.kind} clock={clock} wraps />
              ))}
            </span>
          </DescriptionItem>
        ) : null}
        <DescriptionItem name="Channel">{channels[channel].name}</DescriptionItem>
        <TimeItem name="Started" at={createdAt} />
      </DescriptionList>
      <ReadersButton conversationId={id} />
    </section>
  );
}

function PlainFields({ conversation }: { conversation: ConversationView }) {
  const { assignee, team, priority, tags } = conversation;
  return (
    <DescriptionList>
      <DescriptionItem name="Assigned to">{assignee?.name ?? 'Unassigned'}</DescriptionItem>
      <DescriptionItem name="Team">{team?.name ?? 'No team'}</DescriptionItem>
      <DescriptionItem name="Priority">{priorityNames[priority]}</DescriptionItem>
      <DescriptionItem name="Tags">
        {tags.length === 0 ? (
          'No tags'
        ) : (
          <span className="flex flex-wrap gap-1 pt-0.5">
            {tags.map((tag) => (
              <Badge key={tag}>
                <span className="min-w-0 truncate">{tag}</span>
              </Badge>
            ))}
          </span>
        )}
      </DescriptionItem>
    </DescriptionList>
  );
}

type ClaimNoticeProps = {
  conversation: Pick<ConversationView, 'id' | 'claim' | 'isLinked' | 'contactClaimed'>;
  mayChange: boolean;
};

/** The address that the contact claims, and what a teammate can do about it. */
function ClaimNotice({ conversation, mayChange }: ClaimNoticeProps) {
  const { claim, contactClaimed } = conversation;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-ink-soft text-list">
      {claim ? (
        <p className="[overflow-wrap:anywhere]">
          Says they are <span className="text-ink">{claim.email}</span> · not verified
        </p>
      ) : null}
      {contactClaimed && !claim ? (
        <div>
          <AddressNotVerified />
        </div>
      ) : null}
      {mayChange ? <ClaimControls conversation={conversation} /> : null}
    </div>
  );
}
