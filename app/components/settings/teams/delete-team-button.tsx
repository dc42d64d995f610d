'use client';

import { deleteTeam } from '#app/components/settings/teams/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';
import { countedWords } from '#app/lib/format/counted-words.ts';
import type { TeamView } from '#server/members/teams/views.ts';

/** Deletes a team, after saying what that means. */
export function DeleteTeamButton({ team: { id, name, conversations } }: { team: TeamView }) {
  const { run } = useAction(deleteTeam, { failed: 'Not deleted', done: `${name} deleted` });
  return (
    <ConfirmDialog
      trigger={
        <Button variant="quiet" aria-label={`Delete ${name}`}>
          Delete
        </Button>
      }
      title={`Delete the team ${name}?`}
      confirm="Delete"
      onConfirm={() => run(id)}
    >
      <p>
        {conversations.count === 0
          ? 'It has no conversations.'
          : `${countedWords(conversations, 'conversation')} will have no team. Their timelines say so.`}{' '}
        Automations that assign to this team will no longer assign a team.
      </p>
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}
