import { FlaskConical } from 'lucide-react';
import Link from 'next/link';

/** Mark on every screen of a test workspace. */
export function TestBanner() {
  return (
    <aside
      aria-label="Test workspace"
      className="flex min-h-8 shrink-0 items-center justify-center gap-2 border-note-line border-b bg-note px-3 py-1 text-list text-note-ink"
    >
      <FlaskConical aria-hidden size={15} strokeWidth={1.75} className="shrink-0" />
      <p className="min-w-0">
        <span className="font-semibold">Test workspace:</span> nothing leaves it.{' '}
        <Link href="/settings/outbox" className="underline underline-offset-2 hover:decoration-2">
          Outbox
        </Link>
      </p>
    </aside>
  );
}
