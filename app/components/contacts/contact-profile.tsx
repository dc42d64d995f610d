import { MessageSquarePlus, Pencil } from 'lucide-react';
import Link from 'next/link';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { contactPath } from '#app/lib/contacts-path.ts';
import { type ContactView, contactLabel } from '#server/screens/contacts/views.ts';

/** Who the contact is, and what can be done: nothing by viewers. */
export function ContactHeader({ contact }: { contact: ContactView }) {
  const { id, email, company, mayChange } = contact;
  const name = contactLabel(contact);
  return (
    <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 grow basis-64 items-center gap-3">
        <Avatar name={name} size="large" tone="neutral" />
        <div className="grid min-w-0">
          <h1 className="truncate text-xl">{name}</h1>
          {company ? <p className="truncate text-ink-soft">{company.name}</p> : null}
        </div>
      </div>
      {mayChange ? (
        <div className="flex gap-2 max-md:grow">
          <Link
            href={`${contactPath(id)}/edit`}
            className={buttonClass('secondary', 'max-md:grow max-md:basis-0')}
          >
            <Pencil aria-hidden size={16} />
            Edit
          </Link>
          {email ? (
            <Link
              href={`/inbox?${new URLSearchParams({ new: email })}`}
              className={buttonClass('primary', 'max-md:grow max-md:basis-0')}
            >
              <MessageSquarePlus aria-hidden size={16} />
              New conversation
            </Link>
          ) : null}
        </div>
      ) : null}
    </header>
  );
}
