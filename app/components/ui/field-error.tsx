import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** What was wrong with a form or one of its fields; screen readers announce it at once. */
export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex gap-1.5 text-danger-ink text-list">
      <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}
