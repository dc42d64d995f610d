'use client';

import { CalendarClock, CircleAlert, Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { rescheduleReply } from '#app/components/composer/rare-actions.ts';
import { SEEN_MAX } from '#app/components/composer/send-replies.ts';
import { SEND_TIME } from '#app/components/composer/send-time.ts';
import { UnsentPicture } from '#app/components/composer/unsent-picture.tsx';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { LinkedText } from '#app/components/ui/linked-text.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import { TimeChoice } from '#app/components/ui/time-choice.tsx';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';
import { cx } from '#app/lib/cx.ts';
import { exactTime } from '#app/lib/format-time.ts';
import type { PendingReplyView } from '#server/screens/inbox/composer-views.ts';

const TICK_MS = 200;

type Props = {
  reply: PendingReplyView;
  mayAct: boolean;
  onUndo: () => Promise<void>;
  onDiscard: () => Promise<void>;
  /** Null sends it now. */
  onReschedule: (sendAt: Date | null) => Promise<void>;
};

/** A reply in its undo window, one that is sent later, or a failed reply with the reason and its actions. */
function PendingReply({ reply, mayAct, onUndo, onDiscard, onReschedule }: Props) {
  const { content, formatted, pictures, problem, isYours, laterAt } = reply;
  const [busy, start] = usePendingTransition();
  const run = (work: () => Promise<void>) => () => start(work);
  return (
    <div
      className={cx(
        'grid gap-1.5 rounded-lg border border-dashed px-3 py-2',
        problem === null ? 'border-line-control' : 'border-danger-ink bg-danger-soft',
      )}
    >
      {content.trim() === '' ? null : (
        // Small pictures, so that Undo is in view.
        <div
          dir="auto"
          className="line-clamp-4 whitespace-pre-wrap [overflow-wrap:anywhere] [&_img]:max-h-20"
        >
          <LinkedText
            text={content}
            formatted={formatted}
            picture={(fileId, name) => <UnsentPicture files={pictures} fileId={fileId} name={name} />}
          />
        </div>
      )}
      <Enclosed reply={reply} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {problem !== null ? (
          <NotSent reply={reply} problem={problem} />
        ) : laterAt ? (
          <SendsLater reply={reply} at={laterAt} />
        ) : (
          <SendCountdown reply={reply} />
        )}
        {problem === null && laterAt === null && mayAct && isYours ? (
          <TextButton disabled={busy} onClick={run(onUndo)}>
            Undo
          </TextButton>
        ) : null}
        {(problem !== null || laterAt !== null) && mayAct ? (
          <span className="flex flex-wrap gap-x-3">
            {laterAt && isYours ? (
              <>
                <TextButton disabled={busy} onClick={run(() => onReschedule(null))}>
                  Send now
                </TextButton>
                <ChangeTime disabled={busy} onChoose={(sendAt) => start(() => onReschedule(sendAt))} />
              </>
            ) : null}
            <TextButton disabled={busy} onClick={run(onUndo)}>
              Edit
            </TextButton>
            <TextButton disabled={busy} onClick={run(onDiscard)}>
              Discard
            </TextButton>
          </span>
        ) : null}
      </div>
    </div>
  );
}

/** Lists the file names and the recipients, apart from the contact. */
function Enclosed({ reply: { mailTo = [], cc, bcc, fileNames } }: { reply: PendingReplyView }) {
  const lines = [
    { name: 'To', values: mailTo },
    { name: 'Cc', values: cc },
    { name: 'Bcc', values: bcc },
    { name: fileNames.length === 1 ? 'File' : 'Files', values: fileNames },
  ].filter(({ values }) => values.length > 0);
  if (lines.length === 0) return null;
  return (
    <ul className="grid text-ink-soft text-list">
      {lines.map(({ name, values }) => (
        <li key={name} className="truncate">
          {name}: <bdi>{values.join(', ')}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Countdown, hidden from screen readers to avoid an announcement every second. */
function SendCountdown({ reply: { msLeft, isYours, authorName, solves } }: { reply: PendingReplyView }) {
  const [left, setLeft] = useState(msLeft);
  // Use only the first remaining time, so that device and server clocks are never compared.
  const [first] = useState(msLeft);
  useEffect(() => {
    const end = performance.now() + first;
    const timer = setInterval(() => setLeft(Math.max(0, end - performance.now())), TICK_MS);
    return () => clearInterval(timer);
  }, [first]);
  const seconds = Math.ceil(left / 1_000);
  const what = isYours ? 'Sending' : `${authorName} is sending this`;
  return (
    <span className="tabular flex min-w-0 grow items-center gap-1.5 text-ink-soft text-list">
      <Clock aria-hidden size={14} className="shrink-0" />
      <span>
        {seconds > 0 ? `${what} in ${seconds} s` : what}
        {solves ? ', then solving' : ''}
      </span>
    </span>
  );
}

/** The time at which a reply is sent, and whether the contact wrote in the meantime. */
function SendsLater({
  reply: { isYours, authorName, isAnswered },
  at,
}: {
  reply: PendingReplyView;
  at: Date;
}) {
  const { timeZone } = useNow();
  const when = exactTime(at, timeZone);
  const sentence = isYours ? `Sends ${when}` : `${authorName}’s reply, sends ${when}`;
  return (
    <span className="tabular flex min-w-0 grow gap-1.5 text-ink-soft text-list">
      <CalendarClock aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {sentence}
        {isAnswered ? (
          <strong className="block font-medium text-note-ink">
            The contact has written since. This reply won’t be sent until{' '}
            {isYours ? 'you decide' : 'someone decides'}.
          </strong>
        ) : null}
      </span>
    </span>
  );
}

/** Button whose panel changes the time of a reply. */
function ChangeTime({ disabled, onChoose }: { disabled: boolean; onChoose: (at: Date) => void }) {
  const [open, onOpenChange] = useState(false);
  return (
    <Popover
      control={{ open, onOpenChange }}
      trigger={
        <button type="button" disabled={disabled} className={TEXT_BUTTON}>
          Change time
        </button>
      }
      aria-label="Change time"
      side="top"
      align="end"
      className="z-30 w-72 p-3"
    >
      <TimeChoice
        {...SEND_TIME}
        onChoose={(at) => {
          onOpenChange(false);
          onChoose(at);
        }}
      />
    </Popover>
  );
}

function NotSent({ reply: { isYours, authorName }, problem }: { reply: PendingReplyView; problem: string }) {
  return (
    <span className="flex min-w-0 grow gap-1.5 text-danger-ink text-list">
      <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {isYours ? 'Your' : `${authorName}’s`} reply wasn’t sent. {problem}
      </span>
    </span>
  );
}

const TEXT_BUTTON =
  'inline-flex h-7 items-center rounded-md px-1.5 font-medium text-accent-ink text-list hover:bg-hover max-md:h-11 max-md:px-3';

type ButtonProps = { children: string; disabled: boolean; onClick: () => void };

function TextButton({ children, disabled, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={disabled}
      onClick={() => disabled || onClick()}
      className={TEXT_BUTTON}
    >
      {children}
    </button>
  );
}

type PendingRepliesProps = {
  replies: PendingReplyView[];
  /** The teammate may cancel replies. */
  mayAct: boolean;
  onUndo: (id: string) => Promise<void>;
  onDiscard: (id: string) => Promise<void>;
  /** Ids of the messages, notes and pending replies on screen. */
  shown: readonly string[];
};

/** Replies that are not messages yet, between the thread and the composer. */
export function PendingReplies({ replies, mayAct, onUndo, onDiscard, shown }: PendingRepliesProps) {
  /** Changes the time of a reply that is sent later. Null sends it now. */
  const reschedule = async (id: string, sendAt: Date | null) => {
    const seen = shown.slice(-SEEN_MAX);
    await toastOutcome(rescheduleReply(id, sendAt, seen), { failed: 'Could not change the time' });
    await refetchTopic('conversations');
  };
  return (
    <ul aria-label="Replies not sent yet" className="scroll-pane mb-2 grid max-h-[40dvh] gap-2">
      {replies.map((reply) => (
        <li key={reply.id} className="min-w-0">
          <PendingReply
            reply={reply}
            mayAct={mayAct}
            onUndo={() => onUndo(reply.id)}
            onDiscard={() => onDiscard(reply.id)}
            onReschedule={(sendAt) => reschedule(reply.id, sendAt)}
          />
        </li>
      ))}
    </ul>
  );
}
