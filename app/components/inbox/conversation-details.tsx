import { channels } from '#app/components/conversations/channel-icon.tsx';
import { ChangeFields } from '#app/components/inbox/change-fields.tsx';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { SlaClock } from '#app/components/inbox/sla-clock.tsx';
import { TagEditor } from '#app/components/inbox/tag-editor.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Fact, Facts, TimeFact } from '#app/components/ui/facts.tsx';
import type { ActionsView, ConversationView } from '#server/conversations/views.ts';

type Props = { conversation: ConversationView; actions: ActionsView };

/** How the conversation is handled: changed where it stands, or plain values where nothing can be changed. */
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
      <Facts>
        {clocks.length > 0 ? (
          <Fact name="Time limits">
            <span className="grid justify-items-start gap-1 pt-0.5">
              {clocks.map((clock) => (
                <SlaClock key={clock.kind} clock={clock} />
              ))}
            </span>
          </Fact>
        ) : null}
        <Fact name="Channel">{channels[channel].name}</Fact>
        <TimeFact name="Started" at={createdAt} />
      </Facts>
    </section>
  );
}

function PlainFields({ conversation }: { conversation: ConversationView }) {
  const { assignee, team, priority, tags } = conversation;
  return (
    <Facts>
      <Fact name="Assigned to">{assignee?.name ?? 'Nobody'}</Fact>
      <Fact name="Team">{team?.name ?? 'No team'}</Fact>
      <Fact name="Priority">{priorityNames[priority]}</Fact>
      <Fact name="Tags">
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
      </Fact>
    </Facts>
  );
}
