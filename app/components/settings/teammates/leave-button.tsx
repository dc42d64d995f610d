'use client';

import { leave } from '#app/components/settings/teammates/actions.ts';
import { RemovalDialog } from '#app/components/settings/teammates/removal-dialog.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type Props = { teammate: { id: string }; workspaceName: string; platformName: string };

/** Takes the reader out of the workspace, after saying what ends with it. */
export function LeaveButton({ teammate: { id }, workspaceName, platformName }: Props) {
  const { run } = useAction(leave, { failed: 'Could not leave the workspace' });
  const leaveNow = async () => {
    const outcome = await run();
    if (!outcome.done) return;
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
      onConfirm={leaveNow}
    >
      <p>Your messages and notes stay, under your name. To come back, you need a new invitation.</p>
    </RemovalDialog>
  );
}
