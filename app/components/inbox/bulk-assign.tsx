'use client';

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserRoundPlus, Users } from 'lucide-react';
import { BulkButton, BulkLabel } from '#app/components/inbox/bulk-button.tsx';
import type { ChangeSelected } from '#app/components/inbox/run-bulk.ts';
import { queryErrorMessage, type ScreensClient } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { awayWords } from '#app/lib/away-words.ts';

type Props = { onChange: ChangeSelected };

/** Assigns the selected conversations to the signed-in teammate. */
export function AssignSelectedToMe({ onChange }: Props) {
  const queries = useQueryClient();
  const screens = useScreens();
  const assign = async () => {
    try {
      const { me } = await queries.fetchQuery(choicesQuery(screens));
      onChange({ kind: 'assignee', assigneeId: me.id }, 'assigned to you');
    } catch (error) {
      toast.error('Could not assign the conversations', { description: queryErrorMessage(error) });
    }
  };
  return (
    <BulkButton
      icon={UserRoundPlus}
      label="Assign selected to me"
      word="To me"
      data-shortcut="assign"
      onClick={() => void assign()}
    />
  );
}

/** Menu of teammates and teams. */
export function AssignSelected({ onChange }: Props) {
  const { data: choices } = useQuery(choicesQuery(useScreens()));
  const { timeZone } = useNow();
  const assign = (to: { id: string; name: string } | null) =>
    onChange(
      { kind: 'assignee', assigneeId: to?.id ?? null },
      to === null ? 'unassigned' : `assigned to ${to.id === choices?.me.id ? 'you' : to.name}`,
    );
  const move = (to: { id: string; name: string } | null) =>
    onChange(
      { kind: 'team', teamId: to?.id ?? null },
      to ? `moved to the team ${to.name}` : 'removed from their team',
    );
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label="Assign selected to a teammate or team"
        className="icon-button bulk-button"
      >
        <BulkLabel icon={Users} word="Assign" />
      </DropdownMenuTrigger>
      <DropdownMenuContent side="top" className="max-w-72">
        <DropdownMenuLabel>Assign to</DropdownMenuLabel>
        <DropdownMenuItem onSelect={() => assign(null)}>Unassigned</DropdownMenuItem>
        {choices?.teammates.map((teammate) => (
          <DropdownMenuItem key={teammate.id} onSelect={() => assign(teammate)}>
            <span className="truncate">
              <bdi>{teammate.name}</bdi>
              {teammate.id === choices.me.id ? ' (you)' : null}
              {teammate.away ? (
                <span className="text-ink-soft"> · {awayWords(teammate.away, timeZone)}</span>
              ) : null}
            </span>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Move to team</DropdownMenuLabel>
        <DropdownMenuItem onSelect={() => move(null)}>No team</DropdownMenuItem>
        {choices?.teams.map((team) => (
          <DropdownMenuItem key={team.id} onSelect={() => move(team)}>
            <bdi className="truncate">{team.name}</bdi>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Time for which the choices count as fresh, in ms. */
const FRESH_MS = 60_000;

function choicesQuery(screens: ScreensClient) {
  return queryOptions({
    queryKey: ['bulk.choices'] as const,
    queryFn: ({ signal }) => screens.bulk.choices.query(undefined, { signal }),
    staleTime: FRESH_MS,
  });
}
