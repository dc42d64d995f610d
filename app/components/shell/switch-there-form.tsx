'use client';

import { useActionState, useEffect } from 'react';
import { switchThere } from '#app/components/shell/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { INITIAL } from '#app/lib/form-state.ts';

/** Opens another workspace and stays at the same address. */
export function SwitchThereForm({
  workspace,
  path,
}: {
  workspace: { id: string; name: string };
  path: string;
}) {
  const [state, submit, pending] = useActionState(switchThere, INITIAL);
  useEffect(() => {
    // A full load, so that nothing of the workspace left behind stays on the screen or in memory.
    if (state.value) window.location.assign(state.value.goTo);
  }, [state]);
  const busy = pending || state.done;
  return (
    <form action={submit} className="grid justify-items-center gap-3">
      <input type="hidden" name="workspaceId" value={workspace.id} />
      <input type="hidden" name="path" value={path} />
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <Button
        type="submit"
        variant="primary"
        disabled={busy}
        aria-busy={busy}
        className="h-auto min-h-9 whitespace-normal max-md:min-h-11"
      >
        Open {workspace.name}
      </Button>
    </form>
  );
}
