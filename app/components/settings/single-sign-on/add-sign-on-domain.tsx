'use client';

import { addSignOnDomain } from '#app/components/settings/single-sign-on/actions.ts';
import { AddForm } from '#app/components/ui/add-form.tsx';
import { toast } from '#app/components/ui/toast.ts';

export function AddSignOnDomain() {
  return (
    <AddForm
      add={addSignOnDomain}
      onAdded={({ isVerified }) =>
        toast.success('Domain added', {
          description: isVerified
            ? 'It is verified, as you use it for email.'
            : 'Now add its DNS record and verify it.',
        })
      }
      title="Add a domain"
      name="domain"
      label="Add a domain"
      button={{ label: 'Add domain', busy: 'Adding' }}
    />
  );
}
