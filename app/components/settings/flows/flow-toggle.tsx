'use client';

import { switchFlow } from '#app/components/settings/flows/actions.ts';
import { Switch } from '#app/components/ui/switch.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type Props = { id: string; name: string; labelId: string; enabled: boolean };

export function FlowToggle({ id, name, labelId, enabled }: Props) {
  const { pending, start, chosen } = useAction(switchFlow, {
    failed: 'Could not change the automation',
    done: (_value, _id, to) => (to ? `${name} is on` : `${name} is off`),
  });
  const [, shown] = chosen ?? [id, enabled];
  return (
    <Switch
      aria-labelledby={labelId}
      checked={shown}
      aria-busy={pending}
      onCheckedChange={(to) => start(id, to)}
      className="mt-px"
    />
  );
}
