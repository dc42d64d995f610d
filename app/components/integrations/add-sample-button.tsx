'use client';

import { addSampleIntegration } from '#app/components/integrations/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

/** Adds an integration that occupies a slot, in the demo only. */
export function AddSampleButton() {
  const { pending, start } = useAction(addSampleIntegration, {
    failed: 'Could not add the integration',
    done: 'Sample integration added',
  });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-list">
      <Button aria-busy={pending} onClick={() => start()}>
        {pending ? 'Adding' : 'Add sample integration'}
      </Button>
      <p className="text-ink-soft">
        Only in this demo, to try what happens when all slots are used. It does nothing else.
      </p>
    </div>
  );
}
