'use client';

import { type ReactNode, useState, useTransition } from 'react';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { toast } from '#app/components/ui/toast.ts';
import type { MailView } from '#server/screens/inbox/thread-views.ts';

const rareParts = lazyParts(() => import('#app/components/thread/rare-parts.ts'));
const MailOriginal = rareParts('MailOriginal');

type Props = {
  messageId: string;
  mail: MailView;
  content: string;
  /** Renders the text as a message. */
  show: (content: string) => ReactNode;
};

/** An email's text without quotes, with buttons for the full text and the original. */
export function MailContent({ messageId, mail, content, show }: Props) {
  const [fullContent, setFullContent] = useState<string | null>(null);
  const [isExpanded, setIsExpanded] = useState(false);
  /** Null until the original is opened for the first time. */
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const [pending, start] = useTransition();
  const screens = useScreens();
  const toggle = () => {
    if (fullContent !== null) {
      setIsExpanded(!isExpanded);
      return;
    }
    start(async () => {
      try {
        setFullContent(await screens.conversations.fullContent.query({ messageId }));
        setIsExpanded(true);
      } catch (error) {
        toast.error('Could not load the full message', { description: queryErrorMessage(error) });
      }
    });
  };
  return (
    <>
      {show(isExpanded && fullContent !== null ? fullContent : content)}
      {mail.isTrimmed || mail.hasHtml || mail.hasOriginal ? (
        <p className="flex flex-wrap gap-x-3 text-xs">
          {mail.isTrimmed ? (
            <button
              type="button"
              className={LINK}
              aria-expanded={isExpanded}
              aria-busy={pending}
              onClick={toggle}
            >
              {isExpanded ? 'Show less' : 'Show all'}
            </button>
          ) : null}
          {mail.hasHtml ? (
            <button type="button" className={LINK} onClick={() => setIsOpen(true)}>
              Show original
            </button>
          ) : null}
          {mail.hasOriginal ? (
            <a className={LINK} href={`/mails/${messageId}/original`} download>
              Download email
            </a>
          ) : null}
        </p>
      ) : null}
      {isOpen === null ? null : (
        <MailOriginal
          messageId={messageId}
          hasRemotePictures={mail.hasRemotePictures}
          control={{ open: isOpen, onOpenChange: setIsOpen }}
        />
      )}
    </>
  );
}

const LINK =
  'inline-flex items-center rounded-sm text-ink-soft underline-offset-2 hover:text-ink hover:underline max-md:min-h-11';
