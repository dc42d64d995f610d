import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { Outbox } from '#app/components/settings/outbox/outbox.tsx';
import { WriteAsContact } from '#app/components/settings/outbox/write-as-contact.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';
import { pluralize } from '#app/lib/format-count.ts';

export const metadata: Metadata = { title: 'Outbox' };

export default async function OutboxPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/settings/outbox');
  const query = await searchParams;
  const [before, messageId] = [firstParam(query.before), firstParam(query.message)];
  const view = await (await getScreens()).testWorkspace.outbox({ before, messageId });
  // The workspace was switched to one that sends its messages.
  if (!view) redirect('/inbox');
  return (
    <PageBody>
      <RefreshOn topic="outbox" />
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 *:mb-0 max-md:grid">
        <PageHeader title="Outbox">
          Emails and messages that {workspace.name} would have sent. The newest{' '}
          {view.messagesMax.toLocaleString('en')} are stored, for {pluralize(view.historyDays, 'day')}.
        </PageHeader>
        {isIn('writers', workspace.role) ? <WriteAsContact /> : null}
      </div>
      <Outbox view={view} before={before} />
    </PageBody>
  );
}
