import type { ReactNode } from 'react';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';

export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(0,1fr)] gap-3 text-list">{children}</dl>;
}

/** A name and a value. A missing value is shown as a dash and read as "Unknown". */
export function DescriptionItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      <dt className="text-ink-faint text-xs">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children ?? <Unknown />}</dd>
    </div>
  );
}

export function TimeItem({ name, at }: { name: string; at: Date }) {
  return (
    <DescriptionItem name={name}>
      <RelativeTime at={at} className="inline-block first-letter:uppercase" />
    </DescriptionItem>
  );
}

function Unknown() {
  return (
    <>
      <span aria-hidden className="text-ink-faint">
        –
      </span>
      <span className="sr-only">Unknown</span>
    </>
  );
}
