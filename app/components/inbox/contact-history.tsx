'use client';

import { Paperclip } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { ChannelIcon, channels } from '#app/components/conversations/channel-icon.tsx';
import { type HistoryOf, useContactHistory } from '#app/components/inbox/use-contact-history.ts';
import { DescriptionList, TimeItem } from '#app/components/ui/description-list.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { InboxLink, pathInView } from '#app/components/view/inbox-view.tsx';
import { formatSize } from '#app/lib/format-size.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';

type Props = { conversation: HistoryOf; contactId: string };

/** The contact's other conversations and files, and when somebody last wrote to them. */
export function ContactHistory({ conversation, contactId }: Props) {
  const { data } = useContactHistory(conversation);
  if (!data) return null;
  const { lastContactedAt, conversations, hasMore, files } = data;
  return (
    <>
      {lastContactedAt ? (
        <DescriptionList>
          <TimeItem name="Last contacted" at={lastContactedAt} />
        </DescriptionList>
      ) : null}
      {conversations.length > 0 ? (
        <Group title="Other conversations">
          {conversations.map(({ id: other, subject, status, channel, lastMessageAt }) => (
            <li key={other}>
              <InboxLink
                href={inboxPath({ status, selected: other })}
                pathNow={() => pathInView(other)}
                className={ROW}
              >
                <ChannelIcon channel={channel} />
                <bdi className="min-w-0 grow truncate">{subject ?? channels[channel].name}</bdi>
                <RelativeTime at={lastMessageAt} style="lists" className="text-ink-faint" />
              </InboxLink>
            </li>
          ))}
          {hasMore ? (
            <li>
              <Link href={`/contacts/${contactId}`} prefetch={false} className={ROW}>
                Show all
              </Link>
            </li>
          ) : null}
        </Group>
      ) : null}
      {files.length > 0 ? (
        <Group title="Files">
          {files.map(({ id: file, name, sizeBytes, sentAt }) => (
            <li key={file}>
              <a
                href={`/attachments/${file}`}
                target="_blank"
                rel="noreferrer"
                title={`${name}, ${formatSize(sizeBytes)}`}
                className={ROW}
              >
                <Paperclip aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-ink-faint" />
                <bdi className="min-w-0 grow truncate">{name}</bdi>
                <RelativeTime at={sentAt} style="lists" className="text-ink-faint" />
              </a>
            </li>
          ))}
        </Group>
      ) : null}
    </>
  );
}

const ROW = 'flex items-center gap-2 rounded-md px-1.5 py-1 text-list hover:bg-hover max-md:py-2.5';

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      <h4 className="font-normal text-ink-faint text-xs">{title}</h4>
      <ul className="-mx-1.5 grid grid-cols-[minmax(0,1fr)]">{children}</ul>
    </div>
  );
}
