import { Building2, X } from 'lucide-react';
import Link from 'next/link';
import { getScreens } from '#app/data/get-screens.ts';
import { contactsPath } from '#app/lib/contacts-path.ts';

/** The company that the list is narrowed to, and the way back to everyone. */
export async function CompanyChip({ id, search }: { id: string; search: string }) {
  const company = await (await getScreens()).contacts.company({ id });
  const name = company?.name ?? 'Unknown company';
  return (
    <p className="flex h-9 w-fit min-w-0 max-w-full items-center gap-2 rounded-lg border bg-canvas pl-3 text-list max-md:h-11">
      <Building2 aria-hidden size={16} className="shrink-0 text-ink-soft" />
      <span className="min-w-0 truncate">{name}</span>
      <Link
        href={contactsPath({ search })}
        scroll={false}
        aria-label={`Show contacts of all companies, not only ${name}`}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-hover hover:text-ink max-md:size-10"
      >
        <X aria-hidden size={16} />
      </Link>
    </p>
  );
}
