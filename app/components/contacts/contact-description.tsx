import Link from 'next/link';
import { languageName } from '#app/components/contacts/languages.ts';
import { Card } from '#app/components/ui/card.tsx';
import { DescriptionItem, DescriptionList, TimeItem } from '#app/components/ui/description-list.tsx';
import { companyPath } from '#app/lib/companies-path.ts';
import { contactsPath } from '#app/lib/contacts-path.ts';
import { pluralize } from '#app/lib/pluralize.ts';
import { COLLEAGUES_MAX, type ContactView } from '#server/screens/contacts/views.ts';

/** What is known about a contact. */
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
            ) : null}
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
      </section>
    </Card>
  );
}

function othersWords(colleagues: number): string {
  if (colleagues < COLLEAGUES_MAX) return pluralize(colleagues, 'other contact');
  return `${COLLEAGUES_MAX.toLocaleString('en-GB')} or more other contacts`;
}
