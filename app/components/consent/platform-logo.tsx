import { Workflow } from 'lucide-react';

/** The workflow platform's sign. */
export function PlatformLogo() {
  return (
    <span
      aria-hidden
      className="inline-flex size-12 shrink-0 items-center justify-center rounded-lg border border-line bg-canvas text-ink"
    >
      <Workflow size={24} strokeWidth={1.75} />
    </span>
  );
}
