import { Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';
import { FieldError } from '#app/components/ui/field.tsx';
import { LinkedText } from '#app/components/ui/linked-text.tsx';
import type { Outgoing } from '#app/components/web-chat/use-chat.ts';
import { cx } from '#app/lib/cx.ts';
import type { FormattedText } from '#server/screens/inbox/formatted-text.ts';

type Props = {
  isMine: boolean;
  content: string;
  formatted?: FormattedText | null;
  /** Renders a picture of the text. */
  picture?: (fileId: string, name: string) => ReactNode;
  files?: ReactNode;
  foot: ReactNode;
};

/** A message: the visitor's own on the right, answers on the left. */
export function Bubble({ isMine, content, formatted = null, picture, files, foot }: Props) {
  return (
    <div
      className={cx(
        'grid max-w-[85%] gap-1',
        isMine ? 'justify-items-end justify-self-end' : 'justify-self-start',
      )}
    >
      {content.trim() === '' ? null : (
        <div
          dir="auto"
          className={cx(
            'whitespace-pre-wrap rounded-lg px-3 py-2 [overflow-wrap:anywhere]',
            isMine ? 'bg-accent text-on-accent' : 'border bg-canvas',
          )}
        >
          <LinkedText text={content} formatted={formatted} {...(picture ? { picture } : {})} />
        </div>
      )}
      {files}
      <div className="px-1 text-ink-faint text-xs">{foot}</div>
    </div>
  );
}

type WaitingMessageProps = { message: Outgoing; retry: () => void; discard: () => void };

const choice = 'font-medium text-accent-ink underline-offset-2 hover:underline max-md:py-3';

/** A message being sent, or a failed one with retry and discard. */
export function WaitingMessage({
  message: { content, files, problem },
  retry,
  discard,
}: WaitingMessageProps) {
  return (
    <Bubble
      isMine
      content={content}
      files={files.map(({ name }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat and the order is fixed
        <span key={place} className="flex items-center gap-1.5 text-ink-soft text-list">
          <Paperclip aria-hidden size={14} className="shrink-0" />
          <span className="[overflow-wrap:anywhere]">{name}</span>
        </span>
      ))}
      foot={
        problem === null ? (
          'Sending'
        ) : (
          <div className="grid justify-items-end gap-1">
            <FieldError>{`Not sent. ${problem}`}</FieldError>
            <div className="flex gap-4 text-list">
              <button type="button" className={choice} onClick={retry}>
                Send again
              </button>
              <button type="button" className={choice} onClick={discard}>
                Discard
              </button>
            </div>
          </div>
        )
      }
    />
  );
}
