import { MessageSquarePlus, Pencil } from 'lucide-react';
import Link from 'next/link';
import { languageName } from '#app/components/contacts/languages.ts';
import { MergeContactButton } from '#app/components/contacts/merge-contact-button.tsx';
import { CustomFields } from '#app/components/custom-fields/custom-fields.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { DescriptionItem, DescriptionList, TimeItem } from '#app/components/ui/description-list.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { addressOf } from '#app/lib/address-of.ts';
import { companyPath, contactPath, contactsPath } from '#app/lib/contacts-path.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { COLLEAGUES_MAX, type ContactView, contactLabel } from '#server/screens/contacts/views.ts';

/** Name and company of the contact, with actions for teammates who are not viewers. */
export function ContactHeader({ contact }: { contact: ContactView }) {
  const { id, email, company, mayChange } = contact;
  const name = contactLabel(contact);
  return (
    <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 grow basis-64 items-center gap-3">
        <Avatar name={name} size="large" contactId={id} />
        <div className="grid min-w-0">
          <h1 id="contact-name" tabIndex={-1} className="text-xl [overflow-wrap:anywhere]">
            {name}
          </h1>
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
          <MergeContactButton
            into={{ id, label: name, name: contact.name }}
            className="max-md:grow max-md:basis-0"
          />
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
      <FocusWhenLost
        on={[contact.erasure?.dueAt, ...contact.samePhone.map((other) => other.id)].join()}
        goTo="contact-name"
      />
    </header>
  );
}

export function ContactDescription({ contact }: { contact: ContactView }) {
  const { email, phone, city, language, company, colleagues, createdAt } = contact;
  return (
    <Card className="p-4">
      <section aria-labelledby="contact-details" className="grid gap-4">
        <h2 id="contact-details">Details</h2>
        <DescriptionList>
          <DescriptionItem name="Email">
            {email ? (
              <a href={`mailto:${email}`} className="text-accent-ink hover:underline">
                {email}
              </a>
            ) : (
              addressOf(contact)
            )}
          </DescriptionItem>
          <DescriptionItem name="Phone">{phone}</DescriptionItem>
          <DescriptionItem name="City">{city}</DescriptionItem>
          <DescriptionItem name="Language">{language ? languageName(language) : null}</DescriptionItem>
          <DescriptionItem name="Company">
            {company ? (
              <>
                <Link href={companyPath(company.id)} className="text-accent-ink hover:underline">
                  {company.name}
                </Link>
                {colleagues > 0 ? (
                  <Link
                    href={contactsPath({ company: company.id })}
                    className="mt-0.5 block w-fit text-accent-ink hover:underline max-md:py-3"
                  >
                    {othersWords(colleagues)}
                  </Link>
                ) : null}
              </>
            ) : null}
          </DescriptionItem>
          <TimeItem name="Added" at={createdAt} />
        </DescriptionList>
        <CustomFields subject="contact" id={contact.id} mayChange={contact.mayChange} />
      </section>
    </Card>
  );
}

function othersWords(colleagues: number): string {
  if (colleagues < COLLEAGUES_MAX) return pluralize(colleagues, 'other contact');
  return `${COLLEAGUES_MAX.toLocaleString('en-GB')} or more other contacts`;
}
