'use client';

import { toast } from 'sonner';
import { saveTeam } from '#app/components/settings/teams/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { NameDialog } from '#app/components/ui/forms/name-dialog.tsx';

/** The button that makes a team, or renames the one given, and the form it opens. */
export function TeamDialog({ team }: { team?: { id: string; name: string } }) {
  return (
    <NameDialog
      trigger={
        team ? (
          <Button variant="quiet" aria-label={`Rename ${team.name}`}>
            Rename
          </Button>
        ) : (
          <Button variant="primary">New team</Button>
        )
      }
      title={team ? 'Rename team' : 'New team'}
      placeholder="Billing"
      name={team?.name}
      confirm={team ? 'Rename' : 'Create team'}
      save={saveTeam.bind(null, team?.id ?? null)}
      onSaved={() => toast.success(team ? 'Team renamed' : 'Team created')}
    />
  );
}
