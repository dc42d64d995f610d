'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import { moveField } from '#app/components/settings/fields/actions.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type Props = { id: string; name: string; isFirst: boolean; isLast: boolean };

/** Moves a field in the list. Acts immediately. */
export function MoveFieldButtons({ id, name, isFirst, isLast }: Props) {
  const { pending, start } = useAction(moveField, { failed: `Could not move ${name}` });
  return (
    <>
      <IconButton
        icon={ArrowUp}
        label={`Move ${name} up`}
        aria-disabled={isFirst}
        aria-busy={pending}
        onClick={() => isFirst || start(id, 'up')}
        className="aria-disabled:opacity-40"
      />
      <IconButton
        icon={ArrowDown}
        label={`Move ${name} down`}
        aria-disabled={isLast}
        aria-busy={pending}
        onClick={() => isLast || start(id, 'down')}
        className="aria-disabled:opacity-40"
      />
    </>
  );
}
