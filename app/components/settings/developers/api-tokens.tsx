import { KeyRound } from 'lucide-react';
import { CopiedValues } from '#app/components/settings/channels/copied-values.tsx';
import { CreateTokenDialog } from '#app/components/settings/developers/create-token-dialog.tsx';
import { RevokeTokenButton } from '#app/components/settings/developers/revoke-token-button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { getScreens } from '#app/data/session.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { dateFormat } from '#app/lib/format-time.ts';
import type { ApiTokenView } from '#server/screens/settings/views.ts';

/** API tokens with their abilities and last use, and the address of the API. */
export async function ApiTokens() {
  const { tokens, tokensMax, abilities, apiUrl } = await (await getScreens()).developers.get();
  const live = tokens.filter(({ isExpired }) => !isExpired).length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <section aria-labelledby="api-tokens" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="api-tokens" tabIndex={-1} className="text-base">
            {tokens.length === 0 ? 'No API tokens yet' : pluralize(tokens.length, 'API token')}
          </h2>
          {live < tokensMax ? <CreateTokenDialog abilities={abilities} /> : null}
        </div>
        <Card>
          {tokens.length === 0 ? (
            <EmptyState icon={KeyRound} title="Connect your own program">
              <p>Create a token, and send it with each request to the API.</p>
            </EmptyState>
          ) : (
            <ul aria-labelledby="api-tokens" className="divide-y">
              {tokens.map((token) => (
                <Item key={token.id} token={token} />
              ))}
            </ul>
          )}
        </Card>
        {live >= tokensMax ? (
          <p className="text-ink-soft text-list">
            A workspace can have up to {tokensMax} API tokens. Revoke one to create another.
          </p>
        ) : null}
        <FocusWhenLost on={tokens.length} goTo="api-tokens" />
      </section>
      <CopiedValues
        values={[
          { label: 'API address', value: apiUrl },
          { label: 'OpenAPI', value: `${apiUrl}/openapi.json` },
        ]}
      />
    </div>
  );
}

function Item({ token }: { token: ApiTokenView }) {
  const { id, label, abilities, lastFour, createdByName, createdAt, lastUsedAt, lastUsedAddress } = token;
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-3.5 max-md:px-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-semibold [overflow-wrap:anywhere]">{label}</bdi>
          <span className="font-mono text-ink-soft text-xs">…{lastFour}</span>
        </p>
        <p className="text-list">{sentenceOf(abilities)}</p>
        <p className="text-ink-soft text-list">
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <RelativeTime at={lastUsedAt} />
              {lastUsedAddress === null ? null : ` from ${lastUsedAddress}`}
            </>
          )}{' '}
          · Created by <bdi>{createdByName}</bdi> <RelativeTime at={createdAt} />
        </p>
        <Expiry token={token} />
      </div>
      <RevokeTokenButton id={id} label={label} lastFour={lastFour} />
    </li>
  );
}

function Expiry({ token: { expiresAt, isExpired } }: { token: ApiTokenView }) {
  if (expiresAt === null) return null;
  // The token expires at the end of its last day.
  const day = LAST_DAY.format(expiresAt.getTime() - 1);
  return (
    <p className="text-ink-soft text-list">
      <StatusDot tone={isExpired ? 'bad' : 'quiet'}>
        {isExpired ? `Expired. Its last day was ${day}` : `Works until ${day}`}
      </StatusDot>
    </p>
  );
}

const LAST_DAY = dateFormat('UTC', { day: 'numeric', month: 'long', year: 'numeric' });

/** Lists names as one phrase: only the first has a capital letter. */
function sentenceOf(names: string[]): string {
  return names.map((name, n) => (n === 0 ? name : name.toLowerCase())).join(', ');
}
