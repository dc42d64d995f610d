'use client';

import { useQuery } from '@tanstack/react-query';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { FoldedValues } from '#app/components/settings/channels/copied-values.tsx';
import { DomainPart } from '#app/components/settings/email/domain-part.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { type DotTone, StatusDot } from '#app/components/ui/status-dot.tsx';
import type { MailRouteView } from '#server/screens/settings/channel-views.ts';

type Props = {
  domainId: string;
  domain: string;
  /** Host of the service for email. */
  host: string;
  /** Ids of all verified domains, which are looked up together. */
  verified: string[];
};

/** Shows where a domain's MX records lead, looked up when the page opens and on request. */
export function DomainRoute({ domainId, domain, host, verified }: Props) {
  const screens = useScreens();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['channels.mailRoutes', ...verified],
    queryFn: ({ signal }) => screens.channels.mailRoutes.query(undefined, { signal }),
  });
  const route = data?.find((each) => each.domainId === domainId);
  const { tone, sentence } = error
    ? { tone: 'quiet' as const, sentence: queryErrorMessage(error) }
    : describe(route);
  return (
    <DomainPart
      name="Receiving"
      state={
        <StatusDot tone={tone} wrap>
          <span role="status">{sentence}</span>
        </StatusDot>
      }
      actions={
        <Button
          aria-label={`Look up the MX record of ${domain}`}
          aria-busy={isFetching}
          onClick={() => void refetch()}
        >
          {isFetching ? 'Looking up' : 'Look up'}
        </Button>
      }
    >
      {route && route.state !== 'here' ? (
        <FoldedValues
          title="MX record"
          open={route.state === 'none'}
          values={[
            { label: 'Type', value: 'MX' },
            { label: 'Name', value: domain },
            { label: 'Value', value: `10 ${host}` },
          ]}
        />
      ) : null}
    </DomainPart>
  );
}

function describe(route: MailRouteView | undefined): { tone: DotTone; sentence: string } {
  switch (route?.state) {
    case undefined:
      return { tone: 'quiet', sentence: 'Looking up the MX record…' };
    case 'here':
      return { tone: 'good', sentence: 'The MX record points here.' };
    case 'elsewhere':
      return {
        tone: 'quiet',
        sentence: `The MX record points to ${route.servers.join(', ')}. Forward each mailbox here, or change the record.`,
      };
    case 'none':
      return {
        tone: 'waiting',
        sentence: 'There is no MX record, so no email arrives. Add it to the domain’s DNS.',
      };
    case 'unknown':
      return {
        tone: 'quiet',
        sentence: 'The name servers did not answer. Look up again in a few minutes.',
      };
  }
}
