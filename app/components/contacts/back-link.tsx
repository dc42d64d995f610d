import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';

/** Back to where one came from, above a page's title. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="mb-4 -ml-1.5 inline-flex h-8 items-center gap-1.5 rounded-lg px-1.5 text-ink-soft text-list hover:bg-hover hover:text-ink max-md:h-11"
    >
      <ArrowLeft aria-hidden size={16} />
      {children}
    </Link>
  );
}
