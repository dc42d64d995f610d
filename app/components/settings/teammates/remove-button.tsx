'use client';

import { removeTeammate } from '#app/components/settings/teammates/actions.ts';
import { RemovalDialog } from '#app/components/settings/teammates/removal-dialog.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type Props = { teammate: { id: string; name: string }; workspaceName: string; platformName: string };

/** Removes a teammate, after saying what ends with it. */
export function RemoveButton({ teammate: { id, name }, workspaceName, platformName }: Props) {
  const { run } = useAction(removeTeammate, {
    failed: 'Could not remove the teammate',
    done: `${name} is no longer in ${workspaceName}`,
  });
  return (
    <RemovalDialog
      userId={id}
      leaves={false}
      platformName={platformName}
      trigger={<Button aria-describedby={`teammate-${id}`}>Remove</Button>}
      title={`Remove ${name} from ${workspaceName}?`}
      confirm="Remove"
      onConfirm={() => run(id)}
    >
      <p>Messages and notes of {name} stay, under their name. To come back, they need a new invitation.</p>
    </RemovalDialog>
  );
}
