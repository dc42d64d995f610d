import type { LucideProps } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';

type Icon = ComponentType<Pick<LucideProps, 'aria-hidden' | 'size' | 'strokeWidth'>>;
type Props = { icon: Icon; title: string; children: ReactNode; action?: ReactNode };

/** Explains an empty area: what appears there, how to start, or why it is empty. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="mx-auto grid max-w-sm justify-items-center gap-2 px-6 py-12 text-center">
      <span className="mb-1 inline-flex size-10 items-center justify-center rounded-lg border bg-canvas text-ink-soft">
        <Icon aria-hidden size={20} strokeWidth={1.75} />
      </span>
      <p className="font-semibold">{title}</p>
      <div className="grid gap-2 text-balance text-ink-soft">{children}</div>
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  );
}
