'use client';

import { saveTeam } from '#app/components/settings/teams/actions.ts';
import { NameDialog } from '#app/components/ui/name-dialog.tsx';
import { newOrEditButton } from '#app/components/ui/new-or-edit-button.tsx';
import { toast } from '#app/components/ui/toast.ts';

/** The button that makes a team, or renames the one given, and the form it opens. */
export function TeamDialog({ team }: { team?: { id: string; name: string } }) {
  return (
    <NameDialog
      trigger={newOrEditButton({ name: team?.name, verb: 'Rename', create: 'New team' })}
      title={team ? 'Rename team' : 'New team'}
      placeholder="Billing"
      name={team?.name}
      confirm={team ? 'Rename' : 'Create team'}
      save={saveTeam.bind(null, team?.id ?? null)}
      onSaved={() => toast.success(team ? 'Team renamed' : 'Team created')}
    />
  );
}
