import Link from 'next/link';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Fact, Facts, TimeFact } from '#app/components/ui/facts.tsx';
import type { ConversationView, Priority } from '#server/conversations/views.ts';

const priorityNames: Record<Priority, string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
  urgent: 'Urgent',
};

/** Who the contact is, and how the conversation is handled. */
export function ContactDetails({ conversation }: { conversation: ConversationView }) {
  const { contact, tags } = conversation;
  const contactName = contact?.name ?? contact?.email ?? contact?.phone ?? 'Unknown contact';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <section aria-label="Contact" className="grid grid-cols-[minmax(0,1fr)] gap-4 border-b p-4">
        <div className="flex items-center gap-2.5">
          <Avatar name={contactName} tone="neutral" />
          <h3 className="min-w-0 truncate">
            {contact ? (
              <Link href={`/contacts/${contact.id}`} className="hover:underline">
                {contactName}
              </Link>
            ) : (
              contactName
            )}
          </h3>
        </div>
        <Facts>
          <Fact name="E-mail">{contact?.email}</Fact>
          <Fact name="Phone">{contact?.phone}</Fact>
          <Fact name="Company">{contact?.companyName}</Fact>
        </Facts>
      </section>
      <section aria-labelledby="conversation-facts" className="grid gap-4 p-4">
        <h3 id="conversation-facts">Conversation</h3>
        <Facts>
          <Fact name="Assigned to">{conversation.assigneeName ?? 'Nobody'}</Fact>
          <Fact name="Team">{conversation.teamName ?? 'No team'}</Fact>
          <Fact name="Priority">{priorityNames[conversation.priority]}</Fact>
          <Fact name="Channel">{channels[conversation.channel].name}</Fact>
          <TimeFact name="Started" at={conversation.createdAt} />
          <Fact name="Tags">
            {tags.length === 0 ? (
              'No tags'
            ) : (
              <span className="flex flex-wrap gap-1 pt-0.5">
                {tags.map((tag) => (
                  <Badge key={tag}>{tag}</Badge>
                ))}
              </span>
            )}
          </Fact>
        </Facts>
      </section>
    </div>
  );
}
