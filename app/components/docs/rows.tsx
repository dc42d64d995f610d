import type { ReactNode } from 'react';

export type Row = { name: ReactNode; key: string; text: ReactNode };

/** Names and what they mean, one below the other on a phone and side by side on a wider screen. */
export function Rows({ rows }: { rows: Row[] }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] border-y text-list">
      {rows.map(({ key, name, text }) => (
        <div
          key={key}
          className="grid gap-x-6 gap-y-1 border-line py-2.5 not-first:border-t sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)]"
        >
          <dt className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</dt>
          <dd className="min-w-0 max-w-[68ch] text-pretty text-ink-soft">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
