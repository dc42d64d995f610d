import type { ReactNode } from 'react';

/** A name or value within a sentence. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-sm border border-line bg-canvas px-1 py-px font-mono text-[0.8125em] text-ink [overflow-wrap:anywhere]">
      {children}
    </code>
  );
}
