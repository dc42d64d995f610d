'use client';

import { type ReactNode, useState } from 'react';
import { saveFlow } from '#app/components/settings/flows/actions.ts';
import { ConditionFields } from '#app/components/settings/flows/condition-fields.tsx';
import { FlowSelect, PRIORITIES, STATUSES } from '#app/components/settings/flows/flow-select.tsx';
import { TriggerFields } from '#app/components/settings/flows/trigger-fields.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { FormState } from '#app/lib/form-state.ts';
import type {
  FlowContent,
  FlowsView,
  FlowTriggerKind,
  FlowView,
} from '#server/screens/settings/channel-views.ts';

/** Possible assignees, teams and channels. */
export type FlowChoices = Pick<FlowsView, 'teammates' | 'teams' | 'channels'>;

type Props = { flow: FlowView | undefined; choices: FlowChoices; close: () => void };

function FlowForm({ flow, choices, close }: Props) {
  const { trigger, condition, actions } = flow?.content ?? {};
  const [kind, setKind] = useState<FlowTriggerKind>(trigger?.kind ?? 'conversation_started');
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
      <Part title="When">
        <TriggerFields state={state} trigger={trigger} teams={choices.teams} kind={kind} setKind={setKind} />
      </Part>
      <Part title="If">
        <ConditionFields state={state} kind={kind} condition={condition} connected={choices.channels} />
      </Part>
      <Part title="Then">
        <ActionFields state={state} actions={actions} choices={choices} />
      </Part>
      <FormFooter
        onCancel={close}
        submit={flow ? 'Save' : 'Create automation'}
        busy="Saving"
        pending={pending}
      />
    </ActionForm>
  );
}

/** One of the three parts of a flow. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t pt-4">
      <legend className="float-left mb-1 w-full font-semibold">{title}</legend>
      <div className="clear-both grid gap-4">{children}</div>
    </fieldset>
  );
}

type ActionFieldsProps = {
  state: FormState;
  actions: FlowContent['actions'] | undefined;
  choices: FlowChoices;
};

function ActionFields({ state, actions, choices }: ActionFieldsProps) {
  return (
    <>
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
          none="Don’t change"
          options={STATUSES}
          chosen={actions?.status ?? ''}
        />
        <FlowSelect
          state={state}
          name="priority"
          label="Set priority"
          none="Don’t change"
          options={PRIORITIES}
          chosen={actions?.priority ?? ''}
        />
      </div>
    </>
  );
}

type FlowDialogProps = { flow?: FlowView; choices: FlowChoices };

/** Creates a flow, or edits the given one. */
export function FlowDialog({ flow, choices }: FlowDialogProps) {
  return (
    <Dialog
      trigger={newOrEditButton({ name: flow?.name, verb: 'Edit', create: 'New automation' })}
      title={flow ? 'Edit automation' : 'New automation'}
      description="Runs by itself on conversations that match."
    >
      {(close) => <FlowForm flow={flow} choices={choices} close={close} />}
    </Dialog>
  );
}
