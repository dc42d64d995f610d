import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { Card } from '#app/components/ui/card.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { PageHeader } from '#app/components/ui/page-header.tsx';

type Props = {
  title: string;
  about: string;
  /** The address of this page. */
  path: string;
  /** Whether this is the newest part, and where an older one begins; null: there is none. */
  isNewest: boolean;
  older: string | null;
  children: ReactNode;
};

/** A list about the past on a page of its own, a part at a time. */
export function HistoryPage({ title, about, path, isNewest, older, children }: Props) {
  return (
    <PageBody wide>
      <Link
        href="/settings/integrations"
        className="mb-3 inline-flex items-center gap-1.5 text-ink-soft text-list hover:text-ink"
      >
        <ArrowLeft aria-hidden size={15} />
        Integrations
      </Link>
      <PageHeader title={title}>{about}</PageHeader>
      <Card>{children}</Card>
      {isNewest && !older ? null : (
        <nav aria-label={`Pages of: ${title}`} className="mt-4 flex justify-between gap-2">
          {isNewest ? (
            <span />
          ) : (
            <Link href={path} className={buttonClass('secondary')}>
              Newest
            </Link>
          )}
          {older ? (
            <Link
              href={`${path}?${new URLSearchParams({ before: older })}`}
              className={buttonClass('secondary')}
            >
              Older
            </Link>
          ) : null}
        </nav>
      )}
    </PageBody>
  );
}
