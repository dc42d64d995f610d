'use client';

import { useId } from 'react';
import { requireSignOn, setJoinRole } from '#app/components/settings/single-sign-on/actions.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
} from '#app/components/ui/dropdown-menu.tsx';
import { DropdownMenuSelect } from '#app/components/ui/dropdown-menu-select.tsx';
import { Switch } from '#app/components/ui/switch.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

/** Requires single sign-on. `problem`: what is missing before it can be required. */
export function RequireSwitch({ isRequired, problem }: { isRequired: boolean; problem: string | null }) {
  const labelId = useId();
  const aboutId = useId();
  const { pending, start, chosen } = useAction(requireSignOn, {
    failed: 'Could not change the setting',
    done: (_value, to) => (to ? 'Single sign-on is required' : 'Single sign-on is no longer required'),
  });
  const [shown] = chosen ?? [isRequired];
  const isOff = problem !== null && !shown;
  return (
    <div className="flex items-start gap-4 p-5">
      <div className="grid grow gap-0.5">
        <p id={labelId} className="font-medium">
          Require single sign-on
        </p>
        <p id={aboutId} className="max-w-[65ch] text-pretty text-ink-soft text-list">
          {problem && !shown ? `${problem} ` : null}
          People in the domains can no longer open the workspace with a password. Owners always can, with
          their password and second factor, so that nobody is locked out when the provider fails.
        </p>
      </div>
      <Switch
        aria-labelledby={labelId}
        aria-describedby={aboutId}
        checked={shown}
        disabled={isOff}
        aria-busy={pending}
        onCheckedChange={start}
        className="mt-0.5"
      />
    </div>
  );
}

const CHOICES = { none: 'Only invited people', viewer: 'Everyone, as viewer', agent: 'Everyone, as agent' };
type Choice = keyof typeof CHOICES;

/** Decides who joins the workspace by signing in. */
export function JoinSelect({ role }: { role: 'agent' | 'viewer' | null }) {
  const { pending, start, chosen } = useAction(setJoinRole, {
    failed: 'Could not change who joins',
    done: 'Saved',
  });
  const [shown] = chosen ?? [role];
  return (
    <div aria-busy={pending} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="grid min-w-0 grow basis-72 gap-0.5">
        <p className="font-medium">Who can join</p>
        <p className="max-w-[65ch] text-pretty text-ink-soft text-list">
          “Everyone” lets people in the domains who have no account join when they first sign in. Teammates
          whom you removed need an invitation.
        </p>
      </div>
      <DropdownMenu>
        <DropdownMenuSelect label="Who can join" className="w-52 max-sm:w-full">
          {CHOICES[shown ?? 'none']}
        </DropdownMenuSelect>
        <DropdownMenuContent align="end" className="min-w-52">
          <DropdownMenuRadioGroup
            value={shown ?? 'none'}
            onValueChange={(value) => start(value === 'agent' || value === 'viewer' ? value : null)}
          >
            {(Object.keys(CHOICES) as Choice[]).map((choice) => (
              <DropdownMenuRadioItem key={choice} value={choice}>
                {CHOICES[choice]}
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
        </DropdownMenuContent>
      </DropdownMenu>
    </div>
  );
}
