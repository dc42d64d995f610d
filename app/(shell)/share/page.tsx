import type { Metadata } from 'next';
import { ShareTo } from '#app/components/share/share-to.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { cutParams, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Share to a conversation' };

/** Opened by the service worker with the id of what another app shared, which is on the device. */
export default async function SharePage({ searchParams }: { searchParams: Query }) {
  const { id = '', problem = '' } = cutParams(await searchParams, { id: 100, problem: 100 });
  const { user } = await requireWorkspace(`/share?${new URLSearchParams({ id, problem })}`);
  const limits = await (await getScreens()).conversations.newConversation();
  return (
    <PageBody>
      <PageHeader title="Share to a conversation" />
      <ShareTo id={id} problem={problem} userId={user.id} limits={limits} />
    </PageBody>
  );
}
