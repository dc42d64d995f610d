import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { refetchTopic } from '#app/components/live/page-data.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type Props = { label: string; icon: LucideIcon; sentence: ReactNode; children: ReactNode };

/** A notice above the messages that offers a change of the conversation. `children` are its buttons. */
export function OfferNotice({ label, icon: Icon, sentence, children }: Props) {
  return (
    <section
      aria-label={label}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-canvas px-5 py-2 text-ink-soft text-list max-md:px-4"
    >
      <p className="flex min-w-0 grow basis-72 gap-2">
        <Icon aria-hidden size={15} className="mt-0.5 shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{sentence}</span>
      </p>
      <div className="flex min-w-0 flex-wrap gap-2">{children}</div>
    </section>
  );
}

/** Returns an action that also refetches the conversation, so that the notice follows. */
export function thenRefetch(act: (subject: string) => Promise<Outcome<unknown>>) {
  return async (subject: string) => {
    const outcome = await act(subject);
    await refetchTopic('conversations');
    return outcome;
  };
}
