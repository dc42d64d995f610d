import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** Error of a whole form, announced by screen readers. */
export function Alert({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div id={id} role="alert" className="flex gap-2 rounded-lg bg-danger-soft p-3 text-danger-ink">
      <CircleAlert aria-hidden size={18} className="mt-px shrink-0" />
      <div>{children}</div>
    </div>
  );
}
