'use client';

import { CornerUpLeft, Forward, Megaphone } from 'lucide-react';
import { CalendarCard } from '#app/components/thread/calendar-card.tsx';
import { threadItemId } from '#app/components/thread/thread-item-id.ts';
import { toast } from '#app/components/ui/toast.ts';
import { cx } from '#app/lib/cx.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { ContextView, MailView } from '#server/screens/inbox/thread-views.ts';

type Props = {
  context: ContextView | null;
  invitation: MailView['invitation'] | undefined;
  atEnd: boolean;
};

/** Context above a message: what a chat message answers, and the event of a calendar invitation. */
export function MessageContext({ context, invitation, atEnd }: Props) {
  return (
    <>
      {context ? <ContextLines context={context} atEnd={atEnd} /> : null}
      {invitation ? <CalendarCard invitation={invitation} /> : null}
    </>
  );
}

/** The message that a message answers, a story, or an ad. */
function ContextLines({ context, atEnd }: { context: ContextView; atEnd: boolean }) {
  const { answers, isAboutStory, isForwarded, ad } = context;
  return (
    <div className={cx('grid min-w-0 gap-1 text-ink-soft text-xs', atEnd && 'justify-items-end')}>
      {answers ? <Answered answers={answers} /> : null}
      {isAboutStory ? <Line icon={CornerUpLeft}>Answers your story</Line> : null}
      {isForwarded ? <Line icon={Forward}>Forwarded by the contact</Line> : null}
      {ad ? (
        <Line icon={Megaphone}>
          Came from the ad {ad.title === '' ? '' : <bdi>“{ad.title}”</bdi>} <bdi>({ad.source})</bdi>
        </Line>
      ) : null}
    </div>
  );
}

/** The start of the message that a message answers. It is a button that jumps to that message, if it is stored here. */
function Answered({ answers }: { answers: NonNullable<ContextView['answers']> }) {
  const { id, author, isOurs, content, files } = answers;
  const layout = 'flex min-w-0 max-w-full items-center gap-1.5';
  const line = (
    <>
      <CornerUpLeft aria-hidden size={12} className="shrink-0" />
      <span className="truncate">
        Answers {isOurs ? 'your team' : (author ?? (id === null ? 'a message' : 'their message'))}:{' '}
        <q dir="auto">{content.trim() || pluralize(files, 'file')}</q>
      </span>
    </>
  );
  if (id === null) return <p className={layout}>{line}</p>;
  return (
    <button
      type="button"
      className={cx(layout, 'rounded-sm text-left hover:text-ink hover:underline max-md:min-h-11')}
      onClick={() => goTo(id)}
    >
      {line}
    </button>
  );
}

type LineProps = { icon: typeof Forward; children: React.ReactNode };

function Line({ icon: Icon, children }: LineProps) {
  return (
    <p className="flex min-w-0 items-center gap-1.5">
      <Icon aria-hidden size={12} className="shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

const OUTLINED = ['rounded-lg', 'outline-2', 'outline-accent-ink', 'outline-offset-4'];

/** Scrolls to a message and focuses it, if it is loaded. It is outlined until it loses the focus. */
function goTo(id: string): void {
  const element = document.getElementById(threadItemId(id));
  if (!element) {
    toast('That message is further up', {
      description: 'Choose Show earlier at the top of the conversation.',
    });
    return;
  }
  element.tabIndex = -1;
  element.classList.add(...OUTLINED);
  element.addEventListener('blur', () => element.classList.remove(...OUTLINED), { once: true });
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
}
