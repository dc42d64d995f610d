import Link from 'next/link';
import { MergeContactButton } from '#app/components/contacts/merge-contact-button.tsx';
import { contactPath } from '#app/lib/contacts-path.ts';
import { type ContactView, contactLabel } from '#server/screens/contacts/views.ts';

/** Offers to merge other contacts whose phone number is the same, however it is written. */
export function SamePhone({ contact }: { contact: ContactView }) {
  if (contact.samePhone.length === 0) return null;
  return (
    <ul className="mb-6 grid gap-1 rounded-lg border bg-canvas px-4 py-2">
      {contact.samePhone.map((other) => (
        <li key={other.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            Same phone number as{' '}
            <Link href={contactPath(other.id)} className="font-medium text-accent-ink hover:underline">
              <bdi>{contactLabel(other)}</bdi>
            </Link>
          </span>
          <MergeContactButton
            into={{ id: contact.id, label: contactLabel(contact), name: contact.name }}
            from={other}
            aria-label={`Merge with ${contactLabel(other)}`}
          />
        </li>
      ))}
    </ul>
  );
}
