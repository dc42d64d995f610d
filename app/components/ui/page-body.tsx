import type { ReactNode } from 'react';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { cx } from '#app/lib/cx.ts';

/** Scrolling page with a readable maximum width. `wide` for pages of contacts; all settings have the same width. */
export function PageBody({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    // `relative`, so that visually hidden elements do not make the window scroll.
    <ScrollArea className="relative h-full">
      <div className={cx('mx-auto px-8 py-8 max-md:px-4 max-md:py-5', wide ? 'max-w-5xl' : 'max-w-4xl')}>
        {children}
      </div>
    </ScrollArea>
  );
}

export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-6 grid gap-1">
      <h1 className="text-xl">{title}</h1>
      {children ? <p className="max-w-[65ch] text-pretty text-ink-soft">{children}</p> : null}
    </header>
  );
}
