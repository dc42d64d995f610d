'use client';

import { useEffect } from 'react';
import { switchThere } from '#app/components/shell/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';

/** Switches to another workspace and opens `path` there. */
export default function SwitchThereForm({
  workspace,
  path,
}: {
  workspace: { id: string; name: string };
  path: string;
}) {
  const [state, submit, pending] = useServerForm(switchThere);
  useEffect(() => {
    // A full page load clears the other workspace's data from screen and memory.
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
