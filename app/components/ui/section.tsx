import type { ReactNode } from 'react';
import { Card } from '#app/components/ui/card.tsx';

type Props = { id: string; title: string; about: string; children: ReactNode };

/** Settings section with a heading that can take the focus. */
export function Section({ id, title, about, children }: Props) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <h2 id={id} tabIndex={-1} className="text-base">
          {title}
        </h2>
        <p className="max-w-[65ch] text-pretty text-ink-soft text-list">{about}</p>
      </div>
      <Card className="divide-y">{children}</Card>
    </section>
  );
}
