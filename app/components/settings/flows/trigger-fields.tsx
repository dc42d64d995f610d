import type { ReactNode } from 'react';
import { FlowSelect, PRIORITIES, STATUSES } from '#app/components/settings/flows/flow-select.tsx';
import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import type { FormState } from '#app/lib/form-state.ts';
import type { FlowContent, FlowsView, FlowTriggerKind } from '#server/screens/settings/channel-views.ts';

type Trigger = FlowContent['trigger'];

type Props = {
  state: FormState;
  trigger: Trigger | undefined;
  teams: FlowsView['teams'];
  kind: FlowTriggerKind;
  setKind: (kind: FlowTriggerKind) => void;
};

const NAMES: Record<FlowTriggerKind, string> = {
  conversation_started: 'A conversation starts',
  message_received: 'The contact writes',
  replied: 'A teammate replies',
  status_changed: 'The status changes',
  tagged: 'A tag is added',
  team_set: 'A team is assigned',
  assigned: 'A teammate is assigned',
  priority_changed: 'The priority changes',
  sla_missed: 'An SLA target is missed',
  stayed: 'A status lasts for some time',
  contact_silent: 'The contact doesn’t reply for some time',
  team_silent: 'The contact waits for some time',
};

const HINTS: Partial<Record<FlowTriggerKind, string>> = {
  conversation_started: 'When a contact starts it.',
  message_received: 'Also with the first message of a conversation.',
  replied: 'Also through a workflow or program.',
  status_changed: 'Whoever changes it, also another automation.',
};

/** The trigger of a flow, with the fields of its kind. */
export function TriggerFields({ state, trigger, teams, kind, setKind }: Props) {
  return (
    <>
      <Field label="Trigger" hint={HINTS[kind]} problem={state.fields.trigger}>
        {(control) => (
          <Select
            key={state.attempt}
            {...fieldProps(control, { state, name: 'trigger', defaultValue: kind })}
            onChange={({ target }) => setKind(target.value as FlowTriggerKind)}
          >
            {Object.entries(NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {detailsOf(kind, { state, teams, trigger: trigger?.kind === kind ? trigger : undefined })}
    </>
  );
}

function detailsOf(
  kind: FlowTriggerKind,
  { state, trigger, teams }: Pick<Props, 'state' | 'trigger' | 'teams'>,
): ReactNode {
  const chosen = trigger && 'to' in trigger ? (trigger.to ?? '') : '';
  switch (kind) {
    case 'status_changed':
      return (
        <FlowSelect
          state={state}
          name="triggerStatus"
          label="To"
          none="Any status"
          options={STATUSES}
          chosen={chosen}
        />
      );
    case 'priority_changed':
      return (
        <FlowSelect
          state={state}
          name="triggerPriority"
          label="To"
          none="Any priority"
          options={PRIORITIES}
          chosen={chosen}
        />
      );
    case 'team_set':
      return (
        <FlowSelect
          state={state}
          name="triggerTeamId"
          label="Team"
          none="Any team"
          missing="A deleted team"
          options={teams}
          chosen={trigger?.kind === 'team_set' ? (trigger.teamId ?? '') : ''}
        />
      );
    case 'tagged':
      return (
        <TextField
          state={state}
          name="triggerTags"
          label="One of these tags"
          hint="Separated by commas. Leave empty for any."
          defaultValue={trigger?.kind === 'tagged' ? trigger.tags.join(', ') : ''}
          autoComplete="off"
        />
      );
    case 'sla_missed':
      return (
        <FlowSelect
          state={state}
          name="triggerLimit"
          label="Target"
          none="Any target"
          options={LIMITS}
          chosen={trigger?.kind === 'sla_missed' ? (trigger.limit ?? '') : ''}
        />
      );
    case 'stayed':
      return (
        <>
          <FlowSelect
            state={state}
            name="triggerStatus"
            label="Status"
            options={STATUSES.filter(({ id }) => id !== 'closed')}
            chosen={trigger?.kind === 'stayed' ? trigger.status : 'pending'}
          />
          <TimeFields state={state} trigger={trigger} />
        </>
      );
    case 'contact_silent':
    case 'team_silent':
      return <TimeFields state={state} trigger={trigger} />;
    default:
      return null;
  }
}

const LIMITS = [
  { id: 'first_response', name: 'First response' },
  { id: 'resolution', name: 'Resolution' },
];

/** A number of hours or days. */
function TimeFields({ state, trigger }: Pick<Props, 'state' | 'trigger'>) {
  const hours = trigger && 'hours' in trigger ? trigger.hours : 72;
  const isDays = hours % 24 === 0;
  return (
    <div className="grid gap-1.5">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-4">
        <Field label="For" problem={state.fields.time}>
          {(control) => (
            <Input
              key={state.attempt}
              {...fieldProps(control, { state, name: 'time', defaultValue: isDays ? hours / 24 : hours })}
              inputMode="numeric"
              autoComplete="off"
            />
          )}
        </Field>
        <FlowSelect
          state={state}
          name="unit"
          label="Unit"
          options={[
            { id: 'hours', name: 'Hours' },
            { id: 'days', name: 'Days' },
          ]}
          chosen={isDays ? 'days' : 'hours'}
        />
      </div>
      <p className="text-ink-soft text-list">
        Every hour counts, also outside business hours. It runs once for each wait that starts after you save
        it, and never for older ones.
      </p>
    </div>
  );
}
