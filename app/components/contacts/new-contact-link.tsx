import { Plus } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '#app/components/ui/button-class.ts';

/** To the form of a new contact. */
export function NewContactLink() {
  return (
    <Link href="/contacts/new" className={buttonClass('primary')}>
      <Plus aria-hidden size={16} />
      New contact
    </Link>
  );
}
