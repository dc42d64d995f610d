'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { change } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

const chooseCountry = change(({ workspaces }, country: string) => workspaces.update.mutate({ country }));

/** Asks owners and admins once for the workspace's country, and suggests the country of their time zone. */
export function CountryQuestion() {
  const screens = useScreens();
  const queries = useQueryClient();
  const queryKey = ['workspaces.suggestedCountry'];
  const { data: country } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      return screens.workspaces.suggestedCountry.query({ timeZone }, { signal });
    },
  });
  const { pending, start } = useAction(chooseCountry, {
    failed: 'The country was not saved',
    done: () => {
      queries.setQueryData(queryKey, null);
      return `Country: ${country?.name}`;
    },
  });
  if (!country) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-ink-soft text-list">
      <p className="mr-1">Read phone numbers without a country code as numbers of {country.name}?</p>
      <Button variant="secondary" aria-busy={pending} onClick={() => start(country.code)}>
        OK
      </Button>
      <Link href="/settings/workspace#general" className={buttonClass('quiet')}>
        Change
      </Link>
    </div>
  );
}
