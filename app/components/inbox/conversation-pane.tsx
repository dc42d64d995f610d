import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { ContactDetails } from '#app/components/inbox/contact-details.tsx';
import { ConversationHeader } from '#app/components/inbox/conversation-header.tsx';
import { DetailsPane } from '#app/components/inbox/details-pane.tsx';
import { Thread } from '#app/components/inbox/thread.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { openScreens } from '#app/data/open-screens.ts';

type Props = { id: string; backHref: string };

/** One conversation: its head, what was said, and the details. */
export async function ConversationPane({ id, backHref }: Props) {
  const conversation = await (await openScreens()).conversations.open({ id });
  if (!conversation) return <NotHere backHref={backHref} />;
  return (
    <article aria-labelledby="conversation-title" className="relative flex min-w-0 grow flex-col">
      <ConversationHeader conversation={conversation} backHref={backHref} />
      <div className="flex min-h-0 grow">
        <Thread items={conversation.items} contactName={conversation.contactName} />
        <DetailsPane>
          <ContactDetails conversation={conversation} />
        </DetailsPane>
      </div>
    </article>
  );
}

function NotHere({ backHref }: { backHref: string }) {
  return (
    <div className="grow self-center">
      <EmptyState
        icon={SearchX}
        title="This conversation is not here"
        action={
          <Link href={backHref} className={buttonClass('secondary')}>
            Back to the list
          </Link>
        }
      >
        <p>The link may be incomplete, or the conversation belongs to another workspace of yours.</p>
      </EmptyState>
    </div>
  );
}
