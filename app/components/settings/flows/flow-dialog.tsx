'use client';

import { useState } from 'react';
import { type FlowChoices, FlowForm } from '#app/components/settings/flows/flow-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/overlays/dialog.tsx';
import type { FlowView } from '#server/inbox/flows/views.ts';

type Props = { flow?: FlowView; choices: FlowChoices };

/** The button that makes a flow, or edits the one given, and the form it opens. */
export function FlowDialog({ flow, choices }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {flow ? (
        <Button variant="quiet" aria-label={`Edit ${flow.name}`} onClick={() => setOpen(true)}>
          Edit
        </Button>
      ) : (
        <Button variant="primary" onClick={() => setOpen(true)}>
          New automation
        </Button>
      )}
      <Dialog
        control={{ open, onOpenChange: setOpen }}
        title={flow ? 'Edit automation' : 'New automation'}
        description="It runs for conversations that contacts start from now on."
      >
        <FlowForm flow={flow} choices={choices} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
