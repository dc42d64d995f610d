'use client';

import { revokeApiToken } from '#app/components/settings/developers/actions.ts';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';

export function RevokeTokenButton({ id, label, lastFour }: { id: string; label: string; lastFour: string }) {
  return (
    <DeleteButton
      verb="Revoke"
      name={label}
      label={`${label} (…${lastFour})`}
      variant="quiet"
      className="-mt-1.5 -mr-3.5"
      act={() => revokeApiToken(id)}
    >
      <p>Programs that use this token stop working immediately. This can’t be undone.</p>
    </DeleteButton>
  );
}
