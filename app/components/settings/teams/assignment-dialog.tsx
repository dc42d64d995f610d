'use client';

import { useState } from 'react';
import { saveAssignment } from '#app/components/settings/teams/actions.ts';
import { ASSIGNMENTS } from '#app/components/settings/teams/assignment-words.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { TeamAssignment, TeamView } from '#server/screens/settings/people-views.ts';

type Props = { team: Pick<TeamView, 'id' | 'name' | 'assignment' | 'assignmentLimit'> };

/** Button with the dialog that sets how conversations of a team are assigned. */
export function AssignmentDialog({ team }: Props) {
  return (
    <Dialog
      trigger={
        <Button variant="quiet" aria-label={`Assignment of ${team.name}`}>
          Assignment
        </Button>
      }
      title={`Assignment in ${team.name}`}
      description="Members who are away get no conversations. When a contact writes and the assignee is away, someone else takes over."
    >
      {(close) => <AssignmentForm team={team} close={close} />}
    </Dialog>
  );
}

function AssignmentForm({ team, close }: Props & { close: () => void }) {
  const [assignment, setAssignment] = useState(team.assignment);
  const [state, submit, pending] = useFormAction(saveAssignment.bind(null, team.id), () => {
    toast.success(
      'Assignment saved',
      assignment === 'off'
        ? undefined
        : { description: 'Applies to conversations that come to the team or are open again from now on.' },
    );
    close();
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <SelectField
        state={state}
        name="assignment"
        label="Assign conversations automatically"
        hint={ASSIGNMENTS[assignment].hint}
        value={assignment}
        onChange={({ target }) => setAssignment(target.value as TeamAssignment)}
      >
        {Object.entries(ASSIGNMENTS).map(([each, { name }]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </SelectField>
      {assignment === 'off' ? null : (
        <TextField
          state={state}
          name="limit"
          label="Maximum open conversations per member"
          hint="Members with as many get no more. Leave it empty for no limit."
          inputMode="numeric"
          autoComplete="off"
          defaultValue={team.assignmentLimit ?? ''}
        />
      )}
      <FormFooter onCancel={close} submit="Save" busy="Saving" pending={pending} />
    </ActionForm>
  );
}
