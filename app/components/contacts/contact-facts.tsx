import { Card } from '#app/components/ui/card.tsx';
import { Fact, Facts, TimeFact } from '#app/components/ui/facts.tsx';
import type { ContactPageData } from '#app/data/contact-types.ts';

/** What is known about a contact. */
export function ContactFacts({ contact }: { contact: ContactPageData }) {
  return (
    <Card className="p-4">
      <section aria-labelledby="contact-details" className="grid gap-4">
        <h2 id="contact-details">Details</h2>
        <Facts>
          <Fact name="E-mail">
            {contact.email ? (
              <a href={`mailto:${contact.email}`} className="text-accent-ink hover:underline">
                {contact.email}
              </a>
            ) : null}
          </Fact>
          <Fact name="Phone">{contact.phone}</Fact>
          <Fact name="City">{contact.city}</Fact>
          <Fact name="Language">{contact.language ? languageName(contact.language) : null}</Fact>
          <Fact name="Company">{contact.companyName}</Fact>
          <TimeFact name="Added" at={contact.createdAt} />
        </Facts>
      </section>
    </Card>
  );
}

/** A language code in English; what is not one is shown as it was given. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(['en-GB'], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
