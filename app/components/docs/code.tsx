import type { ReactNode } from 'react';

/** A name or value within a sentence. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="box-decoration-clone rounded-sm border border-line bg-canvas px-1 py-px font-mono text-[0.875em] text-ink leading-none [overflow-wrap:anywhere]">
      {children}
    </code>
  );
}
