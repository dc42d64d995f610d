'use client';

import { useNow } from '#app/components/ui/now-provider.tsx';
import { Bubble } from '#app/components/web-chat/bubble.tsx';
import { ChatFile } from '#app/components/web-chat/chat-file.tsx';
import { cx } from '#app/lib/cx.ts';
import { exactTime, formatSince } from '#app/lib/format-time.ts';
import type { ChatMessage } from '#server/screens/web-chat/views.ts';

/** A message that the service has: who wrote it and when. */
export function ArrivedMessage({ workspaceId, message }: { workspaceId: string; message: ChatMessage }) {
  const { now, timeZone } = useNow();
  const { authorName, content, createdAt, attachments } = message;
  const at = new Date(createdAt);
  return (
    <Bubble
      isMine={authorName === null}
      content={content}
      files={
        attachments.length > 0 ? (
          <ul className={cx('grid gap-1.5', authorName === null && 'justify-items-end')}>
            {attachments.map((file) => (
              <li key={file.id}>
                <ChatFile workspaceId={workspaceId} file={file} />
              </li>
            ))}
          </ul>
        ) : null
      }
      foot={
        <>
          <span className={authorName === null ? 'sr-only' : 'font-medium'}>{authorName ?? 'You'}</span>
          {authorName === null ? 'Sent' : ' ·'}{' '}
          <time dateTime={createdAt} title={exactTime(at, timeZone)}>
            {formatSince(at, now, timeZone)}
          </time>
        </>
      }
    />
  );
}
