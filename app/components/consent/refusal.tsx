import type { ReactNode } from 'react';
import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';

type Props = {
  title: string;
  /** What is wrong, why, and what to do next. */
  children: ReactNode;
  next?: { label: string; href: string };
  otherwise?: { label: string; href: string };
};

/** A case in which nothing was connected. */
export function Refusal({ title, children, next, otherwise }: Props) {
  return (
    <ConsentCard title={title}>
      <div className="grid gap-3 text-ink-soft">{children}</div>
      {next ? (
        <a href={next.href} className={buttonClass('primary')}>
          {next.label}
        </a>
      ) : null}
      {otherwise ? (
        <a href={otherwise.href} className="justify-self-center text-accent-ink hover:underline">
          {otherwise.label}
        </a>
      ) : null}
    </ConsentCard>
  );
}
