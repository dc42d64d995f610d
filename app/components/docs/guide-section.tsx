import Link from 'next/link';
import type { ReactNode } from 'react';
import { Heading } from '#app/components/docs/heading.tsx';

export function GuideSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 border-t pt-10 pb-6">
      <Heading level={2} id={id}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

/** Subsection of the guide. */
export function GuidePart({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3">
      <Heading level={3} id={id}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <p className="max-w-[70ch] text-pretty text-ink-soft leading-6">{children}</p>;
}

/** Link to another page of the documentation. */
export function DocsLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="rounded-sm text-accent-ink underline underline-offset-2 hover:decoration-2"
    >
      {children}
    </Link>
  );
}

/** Highlighted paragraph. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="max-w-[70ch] text-pretty rounded-lg border border-note-line bg-note px-3.5 py-2.5 text-note-ink leading-6">
      {children}
    </p>
  );
}

export type Row = { name: ReactNode; key: string; text: ReactNode };

/** Description list: stacked on phones, two columns on wider screens. */
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

/** Configured names and URLs shown in the guide. */
export type Names = { serviceName: string; platformName: string; baseUrl: string; apiBase: string };
