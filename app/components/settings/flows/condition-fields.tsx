import { channels } from '#app/components/conversations/channel-icon.tsx';
import { STATUSES } from '#app/components/settings/flows/flow-select.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import type { FormState } from '#app/lib/form-state.ts';
import {
  CHANNEL_LIST,
  type FlowContent,
  type FlowsView,
  type FlowTriggerKind,
} from '#server/screens/settings/channel-views.ts';

type Props = {
  state: FormState;
  kind: FlowTriggerKind;
  condition: FlowContent['condition'] | undefined;
  connected: FlowsView['channels'];
};

/** The condition of a flow. A new conversation is open and has no tags, so it has no condition on them. */
export function ConditionFields({ state, kind, condition, connected }: Props) {
  // Include channels chosen earlier, so that they can be deselected.
  const offered = CHANNEL_LIST.filter(
    (channel) => connected.includes(channel) || condition?.channels.includes(channel),
  );
  return (
    <>
      <fieldset className="clear-both grid gap-2">
        <legend className="mb-1.5 font-medium text-list">Channels (leave empty for any)</legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3">
          {offered.map((channel) => (
            <Checkbox
              key={channel}
              name="channels"
              value={channel}
              label={channels[channel].name}
              defaultChecked={condition?.channels.some((each) => each === channel) ?? false}
            />
          ))}
        </div>
      </fieldset>
      {kind === 'conversation_started' ? null : (
        <StateFields state={state} condition={condition} isStatusGiven={WITH_STATUS.includes(kind)} />
      )}
      <TextField
        state={state}
        name="words"
        label="Containing one of these words"
        hint={`In the subject or ${WHERE[kind] ?? 'the contact’s last message'}, separated by commas. “refund” also finds “refunds”.`}
        placeholder="refund, money back"
        defaultValue={condition?.words.join(', ')}
        autoComplete="off"
      />
      <TextField
        state={state}
        name="emailDomain"
        label="From this email domain"
        placeholder="example.com"
        defaultValue={condition?.emailDomain ?? ''}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  );
}

const WHERE: Partial<Record<FlowTriggerKind, string>> = {
  conversation_started: 'the first message',
  message_received: 'the message',
};

/** Triggers that say which status a conversation has. */
const WITH_STATUS: FlowTriggerKind[] = ['stayed', 'team_silent'];

function StateFields({
  state,
  condition,
  isStatusGiven,
}: Pick<Props, 'state' | 'condition'> & { isStatusGiven: boolean }) {
  return (
    <>
      {isStatusGiven ? null : <Statuses condition={condition} />}
      <TextField
        state={state}
        name="withTags"
        label="Having one of these tags"
        hint="Separated by commas."
        defaultValue={condition?.tags.join(', ')}
        autoComplete="off"
      />
    </>
  );
}

function Statuses({ condition }: Pick<Props, 'condition'>) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium text-list">Status (leave empty for any)</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        {STATUSES.map(({ id, name }) => (
          <Checkbox
            key={id}
            name="statuses"
            value={id}
            label={name}
            defaultChecked={condition?.statuses.some((each) => each === id) ?? false}
          />
        ))}
      </div>
    </fieldset>
  );
}
