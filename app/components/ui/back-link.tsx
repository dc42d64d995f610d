import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';

/** Link above the heading of a page to the page that contains it. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="mb-3 inline-flex items-center gap-1.5 text-ink-soft text-list hover:text-ink max-md:-mt-3 max-md:mb-0 max-md:h-11"
    >
      <ArrowLeft aria-hidden size={15} className="shrink-0" />
      {children}
    </Link>
  );
}
