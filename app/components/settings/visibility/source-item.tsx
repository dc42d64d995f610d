'use client';

import { X } from 'lucide-react';
import { ChannelIcon, channels } from '#app/components/conversations/channel-icon.tsx';
import { limitSource } from '#app/components/settings/visibility/actions.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
} from '#app/components/ui/dropdown-menu.tsx';
import { DropdownMenuSelect } from '#app/components/ui/dropdown-menu-select.tsx';
import { type Message, useAction } from '#app/components/ui/use-action.ts';
import type { SourceView } from '#server/screens/settings/people-views.ts';

type Team = { id: string; name: string };
type Props = { source: SourceView; teams: Team[] };

/** A channel, and the teams that see its conversations. Changes act immediately, with Undo in the toast. */
export function SourceItem({ source, teams }: Props) {
  const { name, channel, mailboxId, channelAccountId, teamIds } = source;
  const { pending, run, start, chosen } = useAction(limitSource, {
    failed: 'Could not change who sees the conversations',
    done: (_value, which, ids): Message => ({
      title: ids === null ? `Everyone sees ${name}` : `${name}: ${namesOf(ids, teams)}`,
      undo: () => run(which, teamIds),
    }),
  });
  const shown = chosen ? chosen[1] : teamIds;
  const change = (ids: string[] | null) => start({ mailboxId, channelAccountId }, ids);
  const [inTeams, others] = [
    teams.filter(({ id }) => shown?.includes(id)),
    teams.filter(({ id }) => !shown?.includes(id)),
  ];
  const nameId = `source-${mailboxId ?? channelAccountId ?? channel}`;
  return (
    <li aria-labelledby={nameId} aria-busy={pending} className="grid gap-3 px-5 py-3.5 max-md:px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-center gap-2.5">
          <ChannelIcon channel={channel} />
          <span className="grid min-w-0">
            <bdi id={nameId} className="min-w-0 font-medium [overflow-wrap:anywhere]">
              {name}
            </bdi>
            {channels[channel].name === name ? null : (
              <span className="text-ink-soft text-list">{channels[channel].name}</span>
            )}
          </span>
        </div>
        <DropdownMenu>
          <DropdownMenuSelect label={`Who sees ${name}`} className="w-44 max-sm:w-full">
            {shown === null ? 'Everyone' : 'Only chosen teams'}
          </DropdownMenuSelect>
          <DropdownMenuContent align="end" className="min-w-44">
            <DropdownMenuRadioGroup
              value={shown === null ? 'everyone' : 'teams'}
              onValueChange={(value) => {
                if (value === 'everyone' && shown !== null) change(null);
                if (value === 'teams' && shown === null) change([]);
              }}
            >
              <DropdownMenuRadioItem value="everyone">Everyone</DropdownMenuRadioItem>
              <DropdownMenuRadioItem value="teams">Only chosen teams</DropdownMenuRadioItem>
            </DropdownMenuRadioGroup>
          </DropdownMenuContent>
        </DropdownMenu>
      </div>
      {shown === null ? null : (
        <div className="flex flex-wrap items-center gap-2">
          {inTeams.map((team) => (
            <span
              key={team.id}
              className="flex h-8 min-w-0 max-w-full items-center gap-1 rounded-lg border bg-canvas px-2.5 text-list max-md:h-11"
            >
              <bdi className="min-w-0 truncate">{team.name}</bdi>
              <IconButton
                icon={X}
                label={`Remove ${team.name} from ${name}`}
                onClick={() => change(shown.filter((id) => id !== team.id))}
                className="-mr-1.5 size-6 max-md:size-10"
              />
            </span>
          ))}
          {inTeams.length === 0 ? (
            <p className="text-ink-soft text-list">
              No team yet: only owners, admins and those to whom a conversation is assigned.
            </p>
          ) : null}
          {others.length > 0 ? (
            <DropdownMenu>
              <DropdownMenuSelect label={`Teams that see ${name}`} className="w-44 max-sm:w-full">
                Add a team
              </DropdownMenuSelect>
              <DropdownMenuContent align="start" className="max-w-72">
                {others.map((team) => (
                  <DropdownMenuItem key={team.id} onSelect={() => change([...shown, team.id])}>
                    <bdi className="truncate">{team.name}</bdi>
                  </DropdownMenuItem>
                ))}
              </DropdownMenuContent>
            </DropdownMenu>
          ) : null}
        </div>
      )}
    </li>
  );
}

const list = new Intl.ListFormat('en-GB');

function namesOf(ids: string[], teams: Team[]): string {
  const named = teams.flatMap(({ id, name }) => (ids.includes(id) ? [name] : []));
  return named.length === 0 ? 'no team' : `only ${list.format(named)}`;
}
