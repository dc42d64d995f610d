'use client';

import { resetSecondFactor } from '#app/components/settings/teammates/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

/** Button of an owner for a teammate who lost app, passkeys and recovery codes. */
export function ResetSecondFactor({ teammate: { id, name } }: { teammate: { id: string; name: string } }) {
  const { run } = useAction(resetSecondFactor, {
    failed: 'Could not reset the second factor',
    done: `${name} can sign in with their password only`,
  });
  return (
    <ConfirmDialog
      trigger={
        <Button variant="quiet" aria-describedby={`teammate-${id}`} className="w-fit sm:ml-8">
          Reset two-factor
        </Button>
      }
      title={`Reset the second factor of ${name}?`}
      confirm="Reset"
      onConfirm={() => run(id)}
    >
      <p>
        Do this only if {name} has lost their authenticator app, passkeys and recovery codes, and you have
        spoken to them. They are signed out everywhere, get an email, and can then sign in with their password
        only.
      </p>
    </ConfirmDialog>
  );
}
