'use client';

import { useOptimistic, useTransition } from 'react';
import { toast } from 'sonner';
import { switchFlow } from '#app/components/flows/switch-flow.ts';
import { Switch } from '#app/components/ui/switch.tsx';

type Props = { id: string; name: string; labelId: string; enabled: boolean };

/** Switches a flow on or off. */
export function FlowToggle({ id, name, labelId, enabled }: Props) {
  const [pending, start] = useTransition();
  const [shown, show] = useOptimistic(enabled);
  const change = (to: boolean) =>
    start(async () => {
      show(to);
      const problem = await switchFlow(id, to);
      if (problem) toast.error('Not changed', { description: problem });
      else toast.success(to ? `${name} is on` : `${name} is off`);
    });
  return (
    <Switch
      aria-labelledby={labelId}
      checked={shown}
      aria-busy={pending}
      onCheckedChange={(to) => pending || change(to)}
      className="mt-px"
    />
  );
}
