'use client';

import { useState } from 'react';
import { change } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { TypedName } from '#app/components/ui/typed-name.tsx';
import { countedWords, pluralize } from '#app/lib/format-count.ts';
import type { WorkspaceDeletionView } from '#server/screens/settings/views.ts';

/** Deletes the open workspace, whose name the user typed. */
const deleteWorkspace = change(({ workspaces }, name: string) => workspaces.delete.mutate({ name }));

/** Deletes the workspace after the user typed its name. Lists the effects. */
export function DeleteWorkspaceButton({ deletion }: { deletion: WorkspaceDeletionView }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const run = async () => {
    const outcome = await deleteWorkspace(typed);
    setProblem(outcome.done ? null : outcome.problem);
    if (!outcome.done) return false;
    toast.success(`${deletion.name} deleted`);
    // A full page load clears the workspace's data from screen and memory.
    window.location.assign('/inbox');
    return true;
  };
  return (
    <ConfirmDialog
      trigger={
        <Button variant="danger" className="w-fit max-md:w-full">
          Delete workspace
        </Button>
      }
      title={`Delete ${deletion.name}?`}
      confirm="Delete workspace"
      onConfirm={run}
    >
      <p>This happens immediately:</p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <Effects deletion={deletion} />
      </ul>
      <p>This can’t be undone.</p>
      <TypedName name={deletion.name} typed={typed} onType={setTyped} problem={problem} />
    </ConfirmDialog>
  );
}

function Effects({ deletion }: { deletion: WorkspaceDeletionView }) {
  const { teammates, connections, liveWorkflows, conversations, testName } = deletion;
  return (
    <>
      <li>
        {teammates === 1 ? 'You lose' : `You and ${pluralize(teammates - 1, 'other teammate')} lose`} access
        to {countedWords(conversations, 'conversation')}, the contacts and everything else in it.
      </li>
      {connections > 0 ? (
        <li>
          {pluralize(connections, 'connection')} {connections === 1 ? 'is' : 'are'} disconnected{' '}
          {liveWorkflows > 0
            ? `, and ${pluralize(liveWorkflows, 'workflow')} ${liveWorkflows === 1 ? 'stops' : 'stop'}`
            : ''}
          .
        </li>
      ) : null}
      {testName === null ? null : <li>{testName} is deleted as well.</li>}
      <li>Mailboxes stop receiving email, and open invitations expire.</li>
    </>
  );
}
