'use client';

import { ImageOff } from 'lucide-react';
import { type ReactNode, useState, useTransition } from 'react';
import { showFullContent } from '#app/components/inbox/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { toast } from '#app/components/ui/toast.ts';
import type { MailView } from '#server/screens/inbox/views.ts';

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
  const [isOpen, setIsOpen] = useState(false);
  const [pending, start] = useTransition();
  const toggle = () => {
    if (fullContent !== null) {
      setIsExpanded(!isExpanded);
      return;
    }
    start(async () => {
      const outcome = await showFullContent(messageId);
      if ('problem' in outcome) {
        toast.error('Could not load the full message', { description: outcome.problem });
        return;
      }
      setFullContent(outcome.content);
      setIsExpanded(true);
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

type MailOriginalProps = {
  messageId: string;
  hasRemotePictures: boolean;
  control: { open: boolean; onOpenChange: (open: boolean) => void };
};

/** The original email in a sandboxed frame without scripts. Remote images load only on request. */
function MailOriginal({ messageId, hasRemotePictures, control }: MailOriginalProps) {
  const [withRemote, setWithRemote] = useState(false);
  return (
    <Dialog control={control} title="Original email" wide>
      <div className="grid gap-3">
        {hasRemotePictures && !withRemote ? (
          <div className="flex flex-wrap items-center gap-3 rounded-lg border border-note-line bg-note px-3 py-2 text-list text-note-ink">
            <ImageOff aria-hidden size={16} className="shrink-0" />
            <span className="min-w-0 grow">
              Remote images are blocked because they tell the sender that you read this email.
            </span>
            <Button onClick={() => setWithRemote(true)}>Load images</Button>
          </div>
        ) : null}
        <iframe
          key={String(withRemote)}
          title="Original email"
          src={`/mails/${messageId}${withRemote ? '?pictures=1' : ''}`}
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          className="h-[60dvh] w-full rounded-lg border bg-white"
        />
      </div>
    </Dialog>
  );
}
