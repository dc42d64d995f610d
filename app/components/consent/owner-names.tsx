import { Fragment } from 'react';
import type { Askable } from '#server/screens/consent/views.ts';

/** Whom to ask: the owners by name and address, or in general where they are not to be named. */
export function OwnerNames({ owners }: { owners: Askable[] }) {
  if (owners.length === 0) return 'an owner or admin';
  return owners.map(({ name, email }, i) => (
    <Fragment key={email}>
      {i === 0 ? null : i === owners.length - 1 ? ' or ' : ', '}
      <strong className="font-medium text-ink">{name}</strong> ({email})
    </Fragment>
  ));
}
