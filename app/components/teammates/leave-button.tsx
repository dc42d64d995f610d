'use client';

import { toast } from 'sonner';
import { leave } from '#app/components/teammates/leave.ts';
import { RemovalDialog } from '#app/components/teammates/removal-dialog.tsx';
import { Button } from '#app/components/ui/button.tsx';

type Props = { teammate: { id: string }; workspaceName: string; platformName: string };

/** Takes the reader out of the workspace, after saying what ends with it. */
export function LeaveButton({ teammate: { id }, workspaceName, platformName }: Props) {
  const run = async () => {
    const problem = await leave();
    if (problem) {
      toast.error('You have not left', { description: problem });
      return;
    }
    // A full load, so that nothing of the workspace left behind stays on the screen or in memory.
    window.location.assign('/inbox');
  };
  return (
    <RemovalDialog
      userId={id}
      leaves
      platformName={platformName}
      trigger={<Button aria-describedby={`teammate-${id}`}>Leave</Button>}
      title={`Leave ${workspaceName}?`}
      confirm="Leave"
      onConfirm={run}
    >
      <p>What you wrote stays, under your name. To come back, you need a new invitation.</p>
    </RemovalDialog>
  );
}
