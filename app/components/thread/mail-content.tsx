'use client';

import { type ReactNode, useState, useTransition } from 'react';
import { showFullContent } from '#app/components/inbox/show-full-content.ts';
import { MailOriginal } from '#app/components/thread/mail-original.tsx';
import { toast } from '#app/components/ui/toast.ts';
import type { MailView } from '#server/screens/inbox/views.ts';

type Props = {
  messageId: string;
  mail: MailView;
  content: string;
  /** Puts the text where messages are. */
  show: (content: string) => ReactNode;
};

/** A mail's text without what it quotes, which one button brings back; another shows it as its sender made it. */
export function MailContent({ messageId, mail, content, show }: Props) {
  const [whole, setWhole] = useState<string | null>(null);
  const [isWhole, setIsWhole] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const [pending, start] = useTransition();
  const toggle = () => {
    if (whole !== null) {
      setIsWhole(!isWhole);
      return;
    }
    start(async () => {
      const outcome = await showFullContent(messageId);
      if ('problem' in outcome) {
        toast.error('The rest was not loaded', { description: outcome.problem });
        return;
      }
      setWhole(outcome.content);
      setIsWhole(true);
    });
  };
  return (
    <>
      {show(isWhole && whole !== null ? whole : content)}
      {mail.isTrimmed || mail.hasHtml || mail.hasOriginal ? (
        <p className="flex flex-wrap gap-x-3 text-xs">
          {mail.isTrimmed ? (
            <button
              type="button"
              className={LINK}
              aria-expanded={isWhole}
              aria-busy={pending}
              onClick={toggle}
            >
              {isWhole ? 'Show less' : 'Show all'}
            </button>
          ) : null}
          {mail.hasHtml ? (
            <button type="button" className={LINK} onClick={() => setIsOpen(true)}>
              Show original
            </button>
          ) : null}
          {mail.hasOriginal ? (
            <a className={LINK} href={`/mails/${messageId}/original`} download>
              Download
            </a>
          ) : null}
        </p>
      ) : null}
      {mail.hasHtml ? (
        <MailOriginal
          messageId={messageId}
          hasRemotePictures={mail.hasRemotePictures}
          control={{ open: isOpen, onOpenChange: setIsOpen }}
        />
      ) : null}
    </>
  );
}

const LINK =
  'inline-flex items-center rounded-sm text-ink-soft underline-offset-2 hover:text-ink hover:underline max-md:min-h-11';
