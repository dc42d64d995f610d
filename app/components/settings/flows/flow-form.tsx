'use client';

import { channels } from '#app/components/conversations/channel-icon.tsx';
import { saveFlow } from '#app/components/settings/flows/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { FormState } from '#app/lib/form-state.ts';
import { CHANNEL_LIST, type FlowsView, type FlowView } from '#server/screens/settings/channel-views.ts';

/** Possible assignees, teams and channels. */
export type FlowChoices = Pick<FlowsView, 'teammates' | 'teams' | 'channels'>;

type Props = { flow: FlowView | undefined; choices: FlowChoices; close: () => void };

function FlowForm({ flow, choices, close }: Props) {
  const { condition, actions } = flow?.content ?? {};
  // Include channels chosen earlier, so that they can be deselected.
  const offered = CHANNEL_LIST.filter(
    (channel) => choices.channels.includes(channel) || condition?.channels.includes(channel),
  );
  const [state, submit, pending] = useFormAction(saveFlow.bind(null, flow?.id ?? null), () => {
    toast.success(flow ? 'Automation saved' : 'Automation created and turned on');
    close();
  });
  return (
    <ActionForm state={state} submit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TextField
        state={state}
        name="name"
        label="Name"
        placeholder="Refunds"
        defaultValue={flow?.name}
        autoComplete="off"
      />
      <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t pt-4">
        <legend className="float-left mb-1 w-full font-semibold">When a conversation starts</legend>
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
        <TextField
          state={state}
          name="words"
          label="Containing one of these words"
          hint="In the subject or the first message, separated by commas. “refund” also finds “refunds”."
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
      </fieldset>
      <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t pt-4">
        <legend className="float-left mb-1 w-full font-semibold">Then</legend>
        <div className="clear-both grid gap-4">
          <TextField
            state={state}
            name="tags"
            label="Add tags"
            hint="Up to 20, separated by commas."
            placeholder="refund"
            defaultValue={actions?.tags.join(', ')}
            autoComplete="off"
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <FlowSelect
              state={state}
              name="teamId"
              label="Assign to team"
              none="No team"
              missing="A deleted team"
              options={choices.teams}
              chosen={actions?.teamId ?? ''}
            />
            <FlowSelect
              state={state}
              name="assigneeId"
              label="Assign to teammate"
              none="No one"
              missing="A former teammate"
              options={choices.teammates}
              chosen={actions?.assigneeId ?? ''}
            />
            <FlowSelect
              state={state}
              name="status"
              label="Set status"
              none="Leave open"
              missing=""
              options={[
                { id: 'pending', name: 'Pending' },
                { id: 'solved', name: 'Solved' },
              ]}
              chosen={actions?.status ?? ''}
            />
          </div>
        </div>
      </fieldset>
      <FormFooter
        onCancel={close}
        submit={flow ? 'Save' : 'Create automation'}
        busy="Saving"
        pending={pending}
      />
    </ActionForm>
  );
}

type FlowDialogProps = { flow?: FlowView; choices: FlowChoices };

/** Creates a flow, or edits the given one. */
export function FlowDialog({ flow, choices }: FlowDialogProps) {
  return (
    <Dialog
      trigger={newOrEditButton({ name: flow?.name, verb: 'Edit', create: 'New automation' })}
      title={flow ? 'Edit automation' : 'New automation'}
      description="Runs for new conversations that contacts start."
    >
      {(close) => <FlowForm flow={flow} choices={choices} close={close} />}
    </Dialog>
  );
}

type FlowSelectProps = {
  state: FormState;
  name: string;
  label: string;
  /** Label of the empty option. */
  none: string;
  /** Label of a chosen value that no longer exists. */
  missing: string;
  options: { id: string; name: string }[];
  /** An id, or empty for none. */
  chosen: string;
};

/** Select with an empty option. A chosen value that no longer exists stays until it is replaced. */
function FlowSelect({ state, name, label, none, missing, options, chosen }: FlowSelectProps) {
  const isMissing = chosen !== '' && !options.some(({ id }) => id === chosen);
  return (
    <Field label={label} problem={state.fields[name]}>
      {(control) => (
        <Select key={state.attempt} {...fieldProps(control, { state, name, defaultValue: chosen })}>
          <option value="">{none}</option>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
          {isMissing ? <option value={chosen}>{missing}</option> : null}
        </Select>
      )}
    </Field>
  );
}
