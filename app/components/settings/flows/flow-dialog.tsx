'use client';

import { type FlowChoices, FlowForm } from '#app/components/settings/flows/flow-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import type { FlowView } from '#server/screens/settings/channel-views.ts';

type Props = { flow?: FlowView; choices: FlowChoices };

/** The button that makes a flow, or edits the one given, and the form it opens. */
export function FlowDialog({ flow, choices }: Props) {
  return (
    <Dialog
      trigger={newOrEditButton({ name: flow?.name, verb: 'Edit', create: 'New automation' })}
      title={flow ? 'Edit automation' : 'New automation'}
      description="It runs for conversations that contacts start from now on."
    >
      {(close) => <FlowForm flow={flow} choices={choices} close={close} />}
    </Dialog>
  );
}
