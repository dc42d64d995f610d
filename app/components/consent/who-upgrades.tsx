import { OwnerNames } from '#app/components/consent/owner-names.tsx';
import type { Askable } from '#server/screens/consent/views.ts';

/** How a workspace gets more slots: its owner upgrades, and others read whom to ask. */
export function WhoUpgrades({ isOwner, owners }: { isOwner: boolean; owners: Askable[] }) {
  if (isOwner) return 'Upgrade to a plan with more slots, then come back to this page.';
  return (
    <>
      Only an owner can upgrade: ask <OwnerNames owners={owners} />.
    </>
  );
}
