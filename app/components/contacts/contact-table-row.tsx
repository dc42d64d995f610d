import Link from 'next/link';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { addressOf } from '#app/lib/address-of.ts';
import { type ContactsView, contactPath } from '#app/lib/contacts-path.ts';
import { type ContactRow, contactLabel } from '#server/screens/contacts/views.ts';

/** The link passes the current view, so that the contact page can link back to the filtered list. */
export function ContactTableRow({ contact, view }: { contact: ContactRow; view: ContactsView }) {
  const name = contactLabel(contact);
  const address = addressOf(contact);
  return (
    <tr className="relative hover:bg-hover">
      <th scope="row" className="px-4 py-2.5 font-normal">
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={name} contactId={contact.id} />
          <span className="grid min-w-0">
            <Link
              href={contactPath(contact.id, view)}
              prefetch={false}
              className="focus-inset truncate font-semibold after:absolute after:inset-0"
            >
              {name}
            </Link>
            {contact.name ? (
              <span className="truncate text-ink-soft text-xs md:hidden">
                {address ?? contact.phone ?? ''}
              </span>
            ) : null}
          </span>
        </span>
      </th>
      <td className="truncate px-4 py-2.5 text-ink-soft max-md:hidden">{address ?? '–'}</td>
      <td className="tabular truncate px-4 py-2.5 text-ink-soft max-lg:hidden">{contact.phone ?? '–'}</td>
      {view.company === undefined ? (
        <td className="truncate px-4 py-2.5 text-ink-soft max-lg:hidden">{contact.companyName ?? '–'}</td>
      ) : null}
      <td className="whitespace-nowrap px-4 py-2.5 text-right text-ink-soft">
        <RelativeTime at={contact.createdAt} style="lists" className="relative z-10" />
      </td>
    </tr>
  );
}
