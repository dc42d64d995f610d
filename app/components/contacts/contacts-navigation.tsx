import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { companiesPath, contactsPath } from '#app/lib/contacts-path.ts';
import { cx } from '#app/lib/cx.ts';

const TABS = [
  { key: 'contacts', name: 'People', href: contactsPath() },
  { key: 'companies', name: 'Companies', href: companiesPath() },
] as const;

/** Switches between the lists of people and companies. */
export function ContactsTabs({ here }: { here: (typeof TABS)[number]['key'] }) {
  return (
    <nav aria-label="Contacts" className="mb-4 flex gap-5 border-b">
      {TABS.map(({ key, name, href }) => (
        <Link
          key={key}
          href={href}
          aria-current={key === here ? 'page' : undefined}
          className={cx(
            '-mb-px flex h-9 items-center border-b-2 text-list max-md:h-11',
            key === here
              ? 'border-accent font-semibold text-ink'
              : 'border-transparent text-ink-soft hover:text-ink',
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Link to the previous page, above the title. */
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
