import Link from 'next/link';
import { languageName } from '#app/components/contacts/languages.ts';
import { Card } from '#app/components/ui/card.tsx';
import { Fact, Facts, TimeFact } from '#app/components/ui/facts.tsx';
import { companyPath } from '#app/lib/companies-path.ts';
import { contactsPath } from '#app/lib/contacts-path.ts';
import { countOf } from '#app/lib/count-of.ts';
import { COLLEAGUES_MAX, type ContactView } from '#server/contacts/views.ts';

/** What is known about a contact. */
export function ContactFacts({ contact }: { contact: ContactView }) {
  const { email, phone, city, language, company, colleagues, createdAt } = contact;
  return (
    <Card className="p-4">
      <section aria-labelledby="contact-details" className="grid gap-4">
        <h2 id="contact-details">Details</h2>
        <Facts>
          <Fact name="E-mail">
            {email ? (
              <a href={`mailto:${email}`} className="text-accent-ink hover:underline">
                {email}
              </a>
            ) : null}
          </Fact>
          <Fact name="Phone">{phone}</Fact>
          <Fact name="City">{city}</Fact>
          <Fact name="Language">{language ? languageName(language) : null}</Fact>
          <Fact name="Company">
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
          </Fact>
          <TimeFact name="Added" at={createdAt} />
        </Facts>
      </section>
    </Card>
  );
}

function othersWords(colleagues: number): string {
  if (colleagues < COLLEAGUES_MAX) return countOf(colleagues, 'other contact');
  return `${COLLEAGUES_MAX.toLocaleString('en-GB')} or more other contacts`;
}
