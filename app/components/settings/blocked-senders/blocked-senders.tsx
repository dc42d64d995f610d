import { Ban } from 'lucide-react';
import { SettingsListSearch } from '#app/components/contacts/list-search.tsx';
import { BlockForm, UnblockButton } from '#app/components/settings/blocked-senders/block-form.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { getScreens } from '#app/data/session.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { BlockedSenderView } from '#server/screens/settings/views.ts';

const KINDS: Record<BlockedSenderView['kind'], string> = {
  address: 'Address',
  domain: 'Domain',
  chat: 'Person in a chat',
};

/** The block list, with a search when there are entries. */
export async function BlockedSenders({ search }: { search: string }) {
  const { total, max, senders, hasMore } = await (await getScreens()).blockedSenders.get({ search });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Card>
        <BlockForm />
      </Card>
      <section aria-labelledby="blocked" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 id="blocked" tabIndex={-1} className="text-base">
          {total === 0 ? 'No blocked senders yet' : pluralize(total, 'blocked sender')}
        </h2>
        {total > 0 ? (
          <SettingsListSearch
            page="/settings/blocked-senders"
            search={search}
            label="Search blocked senders"
            placeholder="Address, domain or name"
          />
        ) : null}
        <Card>
          {senders.length === 0 ? <Empty isSearching={search !== ''} /> : <Rows senders={senders} />}
        </Card>
        {hasMore ? (
          <p className="text-ink-soft text-list">These are the newest. Search to find others.</p>
        ) : null}
        {total >= max ? (
          <p className="text-ink-soft text-list">
            A workspace can block up to {max.toLocaleString('en-GB')} senders.
          </p>
        ) : null}
        <FocusWhenLost on={total} goTo="blocked" />
      </section>
    </div>
  );
}

function Rows({ senders }: { senders: BlockedSenderView[] }) {
  return (
    <ul aria-labelledby="blocked" className="divide-y">
      {senders.map(({ id, kind, name, createdByName, createdAt, lastRefusedAt }) => (
        <li key={id} className="flex items-center justify-between gap-4 px-5 py-3 max-md:px-4">
          <div className="grid min-w-0 gap-0.5">
            <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>
            <p className="text-ink-soft text-list">
              {KINDS[kind]} · Blocked by {createdByName}{' '}
              <RelativeTime at={createdAt} className="whitespace-nowrap" />
            </p>
            <p className="text-ink-soft text-list">
              {lastRefusedAt ? (
                <>
                  Last message refused <RelativeTime at={lastRefusedAt} className="whitespace-nowrap" />
                </>
              ) : (
                'No message refused yet'
              )}
            </p>
          </div>
          <UnblockButton id={id} name={name} />
        </li>
      ))}
    </ul>
  );
}

function Empty({ isSearching }: { isSearching: boolean }) {
  return isSearching ? (
    <EmptyState icon={Ban} title="No matches">
      <p>Try another part of the address or the domain.</p>
    </EmptyState>
  ) : (
    <EmptyState icon={Ban} title="Nobody is blocked">
      <p>Block a sender here, or when you mark a conversation as spam.</p>
    </EmptyState>
  );
}
