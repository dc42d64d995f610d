'use client';

import { useId, useOptimistic, useTransition } from 'react';
import type { ConversationChanges } from '#app/components/inbox/actions.ts';
import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { setSilenced } from '#app/components/settings/ai-agent/actions.ts';
import { Select } from '#app/components/ui/select.tsx';
import { Switch } from '#app/components/ui/switch.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { ActionsView, ConversationView, Priority } from '#server/screens/inbox/views.ts';

type Props = {
  conversation: Pick<ConversationView, 'id' | 'assignee' | 'team' | 'priority'>;
  actions: Pick<ActionsView, 'me' | 'teammates' | 'teams'>;
};

/** Assignee, team and priority. Each change can be undone from its toast. */
export function ChangeFields({ conversation, actions: { me, teammates, teams } }: Props) {
  const { id, assignee, team, priority } = conversation;
  const priorities = Object.entries(priorityNames).map(([key, name]) => ({ id: key, name }));
  return (
    <>
      <ChoiceField
        id={id}
        label="Assigned to"
        value={assignee?.id ?? ''}
        // Include the current assignee even if they can no longer be selected.
        choices={withCurrent(teammates, assignee).map((one) =>
          one.id === me.id ? { ...one, name: `${one.name} (you)` } : one,
        )}
        none="Unassigned"
        changes={(value) => ({ assigneeId: value || null })}
        done={(name) => (name ? `Assigned to ${name.replace(/ \(you\)$/, '')}` : 'Unassigned')}
      />
      <ChoiceField
        id={id}
        label="Team"
        value={team?.id ?? ''}
        choices={withCurrent(teams, team)}
        none="No team"
        changes={(value) => ({ teamId: value || null })}
        done={(name) => (name ? `Moved to the team ${name}` : 'Removed from the team')}
      />
      <ChoiceField
        id={id}
        label="Priority"
        value={priority}
        choices={priorities}
        changes={(value) => ({ priority: readPriority(value) })}
        done={(name) => `Priority set to ${name?.toLowerCase()}`}
      />
    </>
  );
}

type Choice = { id: string; name: string };

type FieldProps = {
  id: string;
  label: string;
  value: string;
  choices: Choice[];
  /** Label of the empty choice, where it is allowed. */
  none?: string;
  changes: (value: string) => ConversationChanges;
  /** Success message. Without a name, the value was removed. */
  done: (name: string | undefined) => string;
};

function ChoiceField({ id, label, value, choices, none, changes, done }: FieldProps) {
  const labelId = useId();
  const [shown, show] = useOptimistic(value);
  const [pending, start] = useTransition();
  const choose = (to: string) =>
    start(async () => {
      show(to);
      const name = choices.find((choice) => choice.id === to)?.name;
      await changeConversation(id, { to: changes(to), done: done(name), back: changes(value) });
    });
  return (
    <div className="grid gap-1">
      <span id={labelId} className="text-ink-faint text-xs">
        {label}
      </span>
      <Select
        aria-labelledby={labelId}
        aria-busy={pending}
        value={shown}
        onChange={({ target }) => choose(target.value)}
        className="md:h-8 md:px-2.5 md:text-list"
      >
        {none ? <option value="">{none}</option> : null}
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </Select>
    </div>
  );
}

function withCurrent(choices: Choice[], present: Choice | null): Choice[] {
  return present && !choices.some(({ id }) => id === present.id) ? [...choices, present] : choices;
}

function readPriority(value: string): Priority {
  const all = ['low', 'normal', 'high', 'urgent'] as const satisfies Priority[];
  return all.find((one) => one === value) ?? 'normal';
}

type AgentSwitchProps = { conversationId: string; silenced: boolean; mayChange: boolean };

/** Resolves once the conversation is refetched, so that the switch shows the optimistic value until then. */
async function change(id: string, silenced: boolean) {
  const outcome = await setSilenced(id, silenced);
  if (outcome.done) await refetchTopic('conversations');
  return outcome;
}

/** Turns the AI agent off or on for a conversation. */
export function AgentSwitch({ conversationId, silenced, mayChange }: AgentSwitchProps) {
  const labelId = useId();
  const [isSilenced, show] = useOptimistic(silenced);
  const { pending, start } = useAction(change, {
    failed: 'Could not change the AI agent',
    show: (_id, to) => show(to),
  });
  return (
    <div className="flex items-start gap-3">
      <div className="grid grow gap-0.5">
        <p id={labelId} className="font-medium text-list">
          AI agent answers
        </p>
        <p className="text-ink-soft text-list">
          {isSilenced ? 'Off in this conversation' : 'Until a teammate replies'}
        </p>
      </div>
      {mayChange ? (
        <Switch
          aria-labelledby={labelId}
          checked={!isSilenced}
          aria-busy={pending}
          onCheckedChange={(answers) => start(conversationId, !answers)}
          className="mt-0.5"
        />
      ) : null}
    </div>
  );
}
