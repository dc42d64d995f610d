'use client';

import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, Suspense, useEffect } from 'react';
import { BackToList } from '#app/components/inbox/conversation-controls.tsx';
import { ConversationList } from '#app/components/inbox/conversation-list.tsx';
import { ConversationPane } from '#app/components/inbox/conversation-pane.tsx';
import { resetDetails } from '#app/components/inbox/details-store.ts';
import { FilterBar } from '#app/components/inbox/filter-bar.tsx';
import { ConversationSkeleton } from '#app/components/inbox/inbox-skeletons.tsx';
import { SelectButton } from '#app/components/inbox/selectable-rows.tsx';
import { TagTintsLoader } from '#app/components/inbox/tag-tints-loader.tsx';
import { isPageRefused, queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServed } from '#app/components/live/use-served.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { listQuery, openedQuery } from '#app/components/view/inbox-queries.ts';
import { useInboxView } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ServedInbox } from '#app/lib/served-inbox.ts';

const listParts = lazyParts(() => import('#app/components/inbox/list-parts.ts'));
const SetupChecklist = listParts('SetupChecklist');

type Props = {
  served: ServedInbox;
  platformName: string;
  newConversation: ReactNode;
  /** The teammate may change conversations, and so select several. */
  canSelect: boolean;
  /** The teammate may share saved views. */
  mayShare: boolean;
  /** The checklist of a new workspace's first steps, or null. */
  setup: { workspaceName: string; mayDismiss: boolean } | null;
  /** The conversation in the URL when it belongs to another workspace, and its pane. */
  elsewhere: { id: string; pane: ReactNode } | null;
};

/** The list and the open conversation, as described by the URL. */
export function InboxScreen({
  served,
  platformName,
  newConversation,
  canSelect,
  mayShare,
  setup,
  elsewhere,
}: Props) {
  const view = useInboxView();
  const screens = useScreens();
  const { selected } = view;
  useServed(listQuery(screens, served.of).queryKey, served.list);
  useServed(openedQuery(screens, served.opened?.conversation.id ?? '').queryKey, served.opened);
  useEffect(() => resetDetails, []);
  return (
    <div className="flex h-full min-h-0">
      {/* Heading for screen readers. The visible heading is in the list pane, which narrow screens hide behind an
          open conversation. */}
      <h1 className="sr-only">Inbox</h1>
      <TagTintsLoader />
      <section
        aria-label="Conversations"
        className={cx(
          'flex min-h-0 shrink-0 flex-col lg:w-84 lg:border-r max-lg:w-full',
          selected && 'max-lg:hidden',
        )}
      >
        <div className="flex h-12 shrink-0 items-center justify-between pr-2 pl-4">
          <p aria-hidden className="font-semibold text-base">
            Inbox
          </p>
          <div className="flex items-center">
            {canSelect ? <SelectButton /> : null}
            <Suspense fallback={null}>{newConversation}</Suspense>
          </div>
        </div>
        <FilterBar view={view} choices={served.choices} mayShare={mayShare} />
        <ConversationList
          view={view}
          counts={served}
          canSelect={canSelect}
          belowNothing={
            setup ? (
              <div className="px-4 pb-8 lg:hidden">
                <SetupChecklist {...setup} platformName={platformName} />
              </div>
            ) : null
          }
        />
      </section>
      {selected === undefined ? (
        <div className="grow self-center p-6 max-lg:hidden">
          {setup ? (
            <SetupChecklist {...setup} platformName={platformName} otherwise={<NothingSelected />} />
          ) : (
            <NothingSelected />
          )}
        </div>
      ) : selected === elsewhere?.id ? (
        elsewhere.pane
      ) : (
        <OpenedConversation key={selected} id={selected} platformName={platformName} />
      )}
    </div>
  );
}

function NothingSelected() {
  return (
    <EmptyState icon={MessageSquareText} title="No conversation selected">
      <p>Select a conversation from the list to read and reply.</p>
    </EmptyState>
  );
}

type OpenedConversationProps = { id: string; platformName: string };

/** The open conversation: server-rendered, prefetched, or fetched now. */
function OpenedConversation({ id, platformName }: OpenedConversationProps) {
  const screens = useScreens();
  const router = useRouter();
  const { data: opened, error, isFetching, refetch } = useQuery(openedQuery(screens, id));
  const isUnavailable = opened === null || isPageRefused(error);
  useEffect(() => {
    if (isUnavailable) router.refresh();
  }, [isUnavailable, router]);
  if (opened) return <ConversationPane opened={opened} platformName={platformName} />;
  if (!error) return <ConversationSkeleton />;
  return (
    <div className="grid min-w-0 grow content-start justify-items-start gap-3 p-5">
      <BackToList />
      <Alert>{queryErrorMessage(error)}</Alert>
      <Button aria-busy={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  );
}
