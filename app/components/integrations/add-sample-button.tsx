'use client';

import { useTransition } from 'react';
import { toast } from 'sonner';
import { addSampleIntegration } from '#app/components/integrations/add-sample-integration.ts';
import { Button } from '#app/components/ui/button.tsx';

/** In the demo, adds another integration, to see what a used slot means. */
export function AddSampleButton() {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const problem = await addSampleIntegration();
      if (problem) toast.error('Not added', { description: problem });
      else toast.success('Sample integration added');
    });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-list">
      <Button aria-busy={pending} onClick={() => pending || run()}>
        {pending ? 'Adding' : 'Add sample integration'}
      </Button>
      <p className="text-ink-soft">Only in this demo. It uses a slot and does nothing else.</p>
    </div>
  );
}
