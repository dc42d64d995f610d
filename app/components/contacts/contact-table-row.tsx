import Link from 'next/link';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import type { ContactRow } from '#app/data/contact-types.ts';

/** One contact; the whole row leads to it. */
export function ContactTableRow({ contact }: { contact: ContactRow }) {
  const name = contact.name ?? contact.email ?? contact.phone ?? 'Unknown contact';
  return (
    <tr className="relative hover:bg-hover">
      <th scope="row" className="px-4 py-2.5 font-normal">
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={name} tone="neutral" />
          <span className="grid min-w-0">
            <Link
              href={`/contacts/${contact.id}`}
              prefetch={false}
              className="focus-inset truncate font-semibold after:absolute after:inset-0"
            >
              {name}
            </Link>
            {contact.name ? (
              <span className="truncate text-ink-soft text-xs md:hidden">
                {contact.email ?? contact.phone ?? ''}
              </span>
            ) : null}
          </span>
        </span>
      </th>
      <td className="truncate px-4 py-2.5 text-ink-soft max-md:hidden">{contact.email ?? '–'}</td>
      <td className="tabular truncate px-4 py-2.5 text-ink-soft max-lg:hidden">{contact.phone ?? '–'}</td>
      <td className="truncate px-4 py-2.5 text-ink-soft max-lg:hidden">{contact.companyName ?? '–'}</td>
      <td className="px-4 py-2.5 text-right text-ink-soft">
        <RelativeTime at={contact.createdAt} style="lists" className="relative z-10" />
      </td>
    </tr>
  );
}
