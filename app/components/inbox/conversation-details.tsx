import { channels } from '#app/components/conversations/channel-icon.tsx';
import { ChangeFields } from '#app/components/inbox/change-fields.tsx';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { SlaClock } from '#app/components/inbox/sla-clock.tsx';
import { TagEditor } from '#app/components/inbox/tag-editor.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { DescriptionItem, DescriptionList, TimeItem } from '#app/components/ui/description-list.tsx';
import type { ActionsView, ConversationView } from '#server/screens/inbox/views.ts';

type Props = { conversation: ConversationView; actions: ActionsView };

/** How the conversation is handled: fields to change, or plain values where nothing can be changed. */
export function ConversationDetails({ conversation, actions }: Props) {
  const { id, channel, clocks, createdAt, mergedInto, tags } = conversation;
  const isFixed = actions.problem !== null || mergedInto !== null;
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
      <DescriptionList>
        {clocks.length > 0 ? (
          <DescriptionItem name="SLA">
            <span className="grid justify-items-start gap-1 pt-0.5">
              {clocks.map((clock) => (
                <SlaClock key={clock.kind} clock={clock} />
              ))}
            </span>
          </DescriptionItem>
        ) : null}
        <DescriptionItem name="Channel">{channels[channel].name}</DescriptionItem>
        <TimeItem name="Started" at={createdAt} />
      </DescriptionList>
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
