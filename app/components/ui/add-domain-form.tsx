'use client';

import { AddForm } from '#app/components/ui/add-form.tsx';
import { toast } from '#app/components/ui/toast.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type Props = {
  add: (form: FormData) => Promise<Outcome>;
  /** Next step, as a sentence. */
  next?: string;
};

export function AddDomainForm({ add, next }: Props) {
  return (
    <AddForm
      add={add}
      onAdded={() => toast.success('Domain added', { description: next })}
      title="Add a domain"
      name="domain"
      label="Add a domain"
      button={{ label: 'Add domain', busy: 'Adding' }}
    />
  );
}
