'use client';

import { useQuery } from '@tanstack/react-query';
import { languageName } from '#app/components/contacts/languages.ts';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { DescriptionItem, DescriptionList } from '#app/components/ui/description-list.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { countedWords } from '#app/lib/format-count.ts';
import { contactLabel, type MergePreview } from '#server/screens/contacts/views.ts';

/** Shows how much a merge moves, and the details that the remaining contact will have. */
export function MergePreviewCard({ id, intoId }: { id: string; intoId: string }) {
  const screens = useScreens();
  const { data, error } = useQuery({
    queryKey: ['contacts.mergePreview', { id, intoId }],
    queryFn: ({ signal }) => screens.contacts.mergePreview.query({ id, intoId }, { signal }),
  });
  if (error) return <FieldError>{queryErrorMessage(error)}</FieldError>;
  return (
    <section
      aria-label="Preview"
      className="grid gap-3 rounded-lg border bg-canvas p-3 text-list [overflow-wrap:anywhere]"
    >
      {data ? (
        <Preview preview={data} />
      ) : (
        <div role="status" className="grid gap-3">
          <span className="sr-only">Loading the preview</span>
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      )}
    </section>
  );
}

function Preview({ preview }: { preview: MergePreview }) {
  const { from, into, conversations, notes, identities, fields, customFields } = preview;
  const moved = [
    countedWords(conversations, 'conversation'),
    countedWords(notes, 'note'),
    ...identities.map(({ channel, label }) => `${channels[channel].name} (${label})`),
  ];
  return (
    <>
      <p>
        <b className="font-medium">{contactLabel(from)}</b> will be merged into{' '}
        <b className="font-medium">{contactLabel(into)}</b>.
      </p>
      <DescriptionList>
        <DescriptionItem name="Moves">{moved.join(', ')}</DescriptionItem>
        {fields.map(({ field, value, lost }) => (
          <DescriptionItem key={field} name={NAMES[field]}>
            {field === 'language' ? languageName(value) : value}
            {lost === null ? null : (
              <span className="block text-ink-soft">
                {field === 'email'
                  ? `Email from ${lost} will arrive here too. Replies go to ${value}.`
                  : `Will be lost: ${field === 'language' ? languageName(lost) : lost}`}
              </span>
            )}
          </DescriptionItem>
        ))}
        {customFields.map(({ name, value, lost }) => (
          <DescriptionItem key={`custom ${name}`} name={name}>
            {value}
            {lost === null ? null : <span className="block text-ink-soft">Will be lost: {lost}</span>}
          </DescriptionItem>
        ))}
      </DescriptionList>
    </>
  );
}

const NAMES: Record<MergePreview['fields'][number]['field'], string> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  city: 'City',
  language: 'Language',
  company: 'Company',
};
