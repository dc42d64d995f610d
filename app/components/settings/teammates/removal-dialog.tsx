'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { change, queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { removeTeammate } from '#app/components/settings/teammates/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { RemovalView } from '#server/screens/settings/people-views.ts';

/** Removes the signed-in teammate from the open workspace. */
const leave = change(({ teammates }) => teammates.leave.mutate());

type Props = {
  userId: string;
  /** The signed-in teammate leaves, rather than being removed by another. */
  leaves: boolean;
  platformName: string;
  trigger: ReactNode;
  title: string;
  confirm: string;
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
};

/** Confirms the removal of a teammate and shows its effects, which are counted when the dialog opens. */
function RemovalDialog({ userId, leaves, platformName, trigger, children, ...dialog }: Props) {
  const screens = useScreens();
  const [open, setOpen] = useState(false);
  const [openings, setOpenings] = useState(0);
  const { data: view, error } = useQuery({
    queryKey: ['teammates.removal', { userId, openings }],
    queryFn: ({ signal }) => screens.teammates.removal.query({ userId }, { signal }),
    enabled: open,
  });
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    if (next) setOpenings(openings + 1);
  };
  return (
    <ConfirmDialog {...dialog} trigger={trigger} control={{ open, onOpenChange }} ready={view !== undefined}>
      {view || error ? null : <EffectsSkeleton />}
      {error ? <FieldError>{queryErrorMessage(error)}</FieldError> : null}
      {view ? <RemovalEffects view={view} leaves={leaves} platformName={platformName} /> : null}
      {children}
    </ConfirmDialog>
  );
}

function EffectsSkeleton() {
  return (
    <div role="status" className="grid gap-2 py-1">
      <span className="sr-only">Loading effects</span>
      <Skeleton className="w-full" />
      <Skeleton className="w-2/3" />
    </div>
  );
}

type RemoveButtonProps = {
  teammate: { id: string; name: string };
  workspaceName: string;
  platformName: string;
};

export function RemoveButton({ teammate: { id, name }, workspaceName, platformName }: RemoveButtonProps) {
  const { run } = useAction(removeTeammate, {
    failed: 'Could not remove the teammate',
    done: `${name} is no longer in ${workspaceName}`,
  });
  return (
    <RemovalDialog
      userId={id}
      leaves={false}
      platformName={platformName}
      trigger={<Button aria-describedby={`teammate-${id}`}>Remove</Button>}
      title={`Remove ${name} from ${workspaceName}?`}
      confirm="Remove"
      onConfirm={() => run(id)}
    >
      <p>{name}’s messages and notes stay under their name. To rejoin, they need a new invitation.</p>
    </RemovalDialog>
  );
}

type LeaveButtonProps = { teammate: { id: string }; workspaceName: string; platformName: string };

/** Removes the signed-in teammate from the workspace after a confirmation. */
export function LeaveButton({ teammate: { id }, workspaceName, platformName }: LeaveButtonProps) {
  const { run } = useAction(leave, { failed: 'Could not leave the workspace' });
  const leaveNow = async () => {
    const outcome = await run();
    if (!outcome.done) return;
    // A full page load clears the workspace's data from screen and memory.
    window.location.assign('/inbox');
  };
  return (
    <RemovalDialog
      userId={id}
      leaves
      platformName={platformName}
      trigger={<Button aria-describedby={`teammate-${id}`}>Leave</Button>}
      title={`Leave ${workspaceName}?`}
      confirm="Leave"
      onConfirm={leaveNow}
    >
      <p>Your messages and notes stay under your name. To rejoin, you need a new invitation.</p>
    </RemovalDialog>
  );
}

type RemovalEffectsProps = { view: RemovalView; leaves: boolean; platformName: string };

/** Lists what is disconnected and unassigned when a teammate leaves. */
function RemovalEffects({ view, leaves, platformName }: RemovalEffectsProps) {
  const { name, connections, liveWorkflows, conversations } = view;
  const whose = leaves ? 'Your' : `${name}’s`;
  const assignee = leaves ? 'you' : 'them';
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        {connections === 0
          ? `No connections to ${platformName} are affected.`
          : `${whose} ${connections === 1 ? 'connection' : `${connections} connections`} to ${platformName} will be disconnected immediately.`}
      </li>
      {liveWorkflows > 0 ? (
        <li>
          {pluralize(liveWorkflows, 'live workflow')} {liveWorkflows === 1 ? 'stops' : 'stop'} receiving
          events.
        </li>
      ) : null}
      {conversations > 0 ? (
        <li>
          {pluralize(conversations, 'conversation')} assigned to {assignee}{' '}
          {conversations === 1 ? 'becomes' : 'become'} unassigned.
        </li>
      ) : null}
    </ul>
  );
}
