import { Paperclip } from 'lucide-react';
import { FieldError } from '#app/components/ui/field-error.tsx';
import { Bubble } from '#app/components/web-chat/bubble.tsx';
import type { Outgoing } from '#app/components/web-chat/use-chat.ts';

type Props = { message: Outgoing; retry: () => void; discard: () => void };

const choice = 'font-medium text-accent-ink underline-offset-2 hover:underline max-md:py-3';

/** A message on its way, or one that did not arrive: nothing of it is lost. */
export function WaitingMessage({ message: { content, files, problem }, retry, discard }: Props) {
  return (
    <Bubble
      isMine
      content={content}
      files={files.map(({ name }, place) => (
        // Two may have the same name, and none changes its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <span key={place} className="flex items-center gap-1.5 text-ink-soft text-list">
          <Paperclip aria-hidden size={14} />
          {name}
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
