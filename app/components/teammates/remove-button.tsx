'use client';

import { toast } from 'sonner';
import { RemovalDialog } from '#app/components/teammates/removal-dialog.tsx';
import { removeTeammate } from '#app/components/teammates/remove-teammate.ts';
import { Button } from '#app/components/ui/button.tsx';

type Props = { teammate: { id: string; name: string }; workspaceName: string; platformName: string };

/** Removes a teammate, after saying what ends with it. */
export function RemoveButton({ teammate: { id, name }, workspaceName, platformName }: Props) {
  const run = async () => {
    const problem = await removeTeammate(id);
    if (problem) toast.error('Not removed', { description: problem });
    else toast.success(`${name} is no longer in ${workspaceName}`);
  };
  return (
    <RemovalDialog
      userId={id}
      leaves={false}
      platformName={platformName}
      trigger={<Button aria-describedby={`teammate-${id}`}>Remove</Button>}
      title={`Remove ${name} from ${workspaceName}?`}
      confirm="Remove"
      onConfirm={run}
    >
      <p>What {name} wrote stays, under their name. To come back, they need a new invitation.</p>
    </RemovalDialog>
  );
}
