import { Download } from 'lucide-react';
import { EraseContactButton } from '#app/components/contacts/erase-contact-button.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { CONTACT_DATA_PATH, type ContactView, contactLabel } from '#server/screens/contacts/views.ts';

/** Downloads or erases the contact's data, for owners and admins. */
export function PersonalData({ contact }: { contact: ContactView }) {
  if (!contact.mayManageData) return null;
  return (
    <Card className="p-4">
      <section aria-labelledby="personal-data" className="grid gap-3">
        <h2 id="personal-data">Personal data</h2>
        <p className="text-ink-soft text-list">
          The file has the details, conversations, unsent replies, notes, ratings and files of this contact.
        </p>
        {/* A download, which Next.js must not load as a page. */}
        <a href={`${CONTACT_DATA_PATH}${contact.id}`} download className={buttonClass('secondary', 'w-fit')}>
          <Download aria-hidden size={16} />
          Download data
        </a>
        {contact.erasure ? null : <EraseContactButton id={contact.id} name={contactLabel(contact)} />}
      </section>
    </Card>
  );
}
