'use client';

import { change } from '#app/components/live/page-data.ts';
import { openWorkspace } from '#app/components/shell/workspace-menu-items.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useAction, usePendingTransition } from '#app/components/ui/use-action.ts';

const OUTBOX = '/settings/outbox';

const createTest = change(async ({ testWorkspace }) => {
  const { id } = await testWorkspace.create.mutate();
  await openWorkspace(id, OUTBOX);
});

/** Creates the test workspace and opens it. */
export function CreateTestButton() {
  const { pending, start } = useAction(createTest, { failed: 'Could not create the test workspace' });
  return (
    <Button onClick={() => start()} aria-busy={pending}>
      {pending ? 'Creating' : 'Create test workspace'}
    </Button>
  );
}

export function OpenTestButton({ id, name }: { id: string; name: string }) {
  const [pending, start] = usePendingTransition();
  return (
    <Button onClick={() => start(() => openWorkspace(id, OUTBOX))} aria-busy={pending}>
      Open {name}
    </Button>
  );
}
