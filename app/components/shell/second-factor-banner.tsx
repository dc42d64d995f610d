import { ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { dateFormat } from '#app/lib/format-time.ts';

type Props = {
  /** Workspaces that are closed until the user has a second factor. */
  closed: string[];
  /** The workspace that will be next. */
  due: { name: string; from: Date } | null;
};

const DAY = dateFormat('UTC', { day: 'numeric', month: 'long', year: 'numeric' });

/** Tells a user without a second factor which workspaces require one, or from when. */
export function SecondFactorBanner({ closed, due }: Props) {
  const [name] = closed;
  if (name === undefined && due === null) return null;
  return (
    <aside
      aria-label="Two-factor authentication"
      className="flex min-h-8 shrink-0 items-center justify-center gap-2 border-note-line border-b bg-note px-3 py-1 text-list text-note-ink"
    >
      <ShieldCheck aria-hidden size={15} strokeWidth={1.75} className="shrink-0" />
      <p className="min-w-0">
        {name === undefined && due
          ? `${due.name} requires two-factor authentication from ${DAY.format(due.from)}.`
          : `${new Intl.ListFormat('en-GB').format(closed)} can’t be opened without two-factor authentication.`}{' '}
        <Link
          href="/settings/account#second-factor"
          className="underline underline-offset-2 hover:decoration-2"
        >
          Set it up
        </Link>
      </p>
    </aside>
  );
}
