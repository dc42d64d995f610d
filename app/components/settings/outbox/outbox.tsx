import { Send } from 'lucide-react';
import Link from 'next/link';
import { ChannelIcon } from '#app/components/conversations/channel-icon.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { DescriptionItem, DescriptionList } from '#app/components/ui/description-list.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import type { OutboxView } from '#server/screens/settings/views.ts';

type Props = { view: OutboxView; before: string | undefined };
type Message = OutboxView['messages'][number];
type Details = NonNullable<OutboxView['details']>;

const PATH = '/settings/outbox';

function pathOf(parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? PATH : `${PATH}?${query}`;
}

/** The messages of a test workspace, newest first. A link opens a message below its row. */
export function Outbox({ view: { messages, older, details }, before }: Props) {
  const here: Record<string, string> = before ? { before } : {};
  return (
    <section aria-label="Messages" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Card>
        {messages.length === 0 ? (
          <EmptyState icon={Send} title={before ? 'No older messages' : 'No messages yet'}>
            <p>
              Replies, ratings and notifications by email appear here. Write as a contact, then reply in the
              inbox.
            </p>
          </EmptyState>
        ) : (
          <ul aria-label="Messages" className="divide-y">
            {messages.map((message) => {
              const opened = details?.id === message.id ? details : null;
              return (
                <li key={message.id} className="grid grid-cols-[minmax(0,1fr)]">
                  <Row
                    message={message}
                    isOpen={opened !== null}
                    href={pathOf(opened ? here : { ...here, message: message.id })}
                  />
                  {opened ? <OpenedMessage message={message} details={opened} /> : null}
                </li>
              );
            })}
          </ul>
        )}
      </Card>
      <nav aria-label="Pages of messages" className="flex gap-4 text-list empty:hidden">
        {before ? <PageLink href={PATH}>Newest</PageLink> : null}
        {older ? <PageLink href={pathOf({ before: older })}>Older</PageLink> : null}
      </nav>
    </section>
  );
}

function PageLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="underline underline-offset-2 hover:decoration-2">
      {children}
    </Link>
  );
}

function Row({ message, isOpen, href }: { message: Message; isOpen: boolean; href: string }) {
  const { channel, recipients, subject, start, createdAt } = message;
  return (
    <Link
      href={href}
      scroll={false}
      aria-expanded={isOpen}
      className="flex items-start gap-3 px-5 py-3 hover:bg-canvas max-md:px-4"
    >
      <span className="flex h-5 items-center">
        <ChannelIcon channel={channel} />
      </span>
      <span className="grid min-w-0 grow gap-0.5">
        <span className="flex items-baseline justify-between gap-4">
          <bdi className="min-w-0 truncate font-semibold">{recipients.join(', ')}</bdi>
          <RelativeTime at={createdAt} className="shrink-0 text-ink-soft text-list" />
        </span>
        <span className="truncate text-ink-soft text-list">
          {subject ? <span className="text-ink">{subject} · </span> : null}
          {start}
        </span>
      </span>
    </Link>
  );
}

function OpenedMessage({ message, details }: { message: Message; details: Details }) {
  const { recipients, subject } = message;
  const { sender, cc, bcc, content, fileNames } = details;
  const facts: [string, string][] = [
    ['From', sender],
    ['To', recipients.join(', ')],
    ['Cc', cc.join(', ')],
    ['Bcc', bcc.join(', ')],
    ['Subject', subject ?? ''],
    ['Files', fileNames.join(', ')],
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t bg-canvas px-5 py-4 max-md:px-4">
      <DescriptionList>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <DescriptionItem key={name} name={name}>
              <bdi>{value}</bdi>
            </DescriptionItem>
          ))}
      </DescriptionList>
      <ScrollArea aria-label="Text" className="max-h-96 rounded-lg border bg-surface p-4">
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{content}</p>
      </ScrollArea>
    </div>
  );
}
