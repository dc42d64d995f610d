import Link from 'next/link';
import type { ReactNode } from 'react';
import { Card } from '#app/components/ui/card.tsx';

type Props = {
  id: string;
  title: string;
  /** What will appear here, said while there is nothing. */
  empty: string;
  /** Where the rest is; null when this is all. */
  all: { href: string; words: string } | null;
  /** The newest few; null when there is nothing. */
  children: ReactNode;
};

/** The newest of a list about the past, and the way to the rest of it. */
export function HistorySection({ id, title, empty, all, children }: Props) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id={id} className="text-base">
        {title}
      </h2>
      <Card className="overflow-hidden">
        {children ?? <p className="px-5 py-4 text-ink-soft text-list">{empty}</p>}
        {all ? (
          <Link
            href={all.href}
            className="focus-inset flex h-10 items-center border-t px-5 font-medium text-accent-ink text-list hover:bg-hover max-md:h-11"
          >
            {all.words}
          </Link>
        ) : null}
      </Card>
    </section>
  );
}
