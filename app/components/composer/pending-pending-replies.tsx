'use client';

import { PendingReply } from '#app/components/composer/pending-replies.tsx';
import type { PendingReplyView } from '#server/screens/inbox/views.ts';

type Props = {
  replies: PendingReplyView[];
  /** Whether the reader may take replies back. */
  mayAct: boolean;
  onUndo: (id: string) => Promise<void>;
  onDiscard: (id: string) => Promise<void>;
};

/** The replies that are no messages yet, between what was said and what is being written. */
export function PendingReplies({ replies, mayAct, onUndo, onDiscard }: Props) {
  if (replies.length === 0) return null;
  return (
    <ul aria-label="Replies not sent yet" className="scroll-pane mb-2 grid max-h-[40dvh] gap-2">
      {replies.map((reply) => (
        <li key={reply.id} className="min-w-0">
          <PendingReply
            reply={reply}
            mayAct={mayAct}
            onUndo={() => onUndo(reply.id)}
            onDiscard={() => onDiscard(reply.id)}
          />
        </li>
      ))}
    </ul>
  );
}
