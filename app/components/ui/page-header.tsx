import type { ReactNode } from 'react';

/** The title of a page and one sentence on what it is for. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-6 grid gap-1">
      <h1 className="text-xl">{title}</h1>
      {children ? <p className="max-w-[65ch] text-pretty text-ink-soft">{children}</p> : null}
    </header>
  );
}
