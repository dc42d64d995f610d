'use client';

import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { CustomFields } from '#app/components/custom-fields/custom-fields.tsx';
import { fieldsQuery } from '#app/components/custom-fields/fields-queries.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';

const Part = lazyParts(() => import('#app/components/custom-fields/custom-fields.tsx'))('CustomFields');

/** The custom fields of a contact or conversation, whose scripts are loaded where the workspace has some. */
export function CustomFieldsPart(props: ComponentProps<typeof CustomFields>) {
  const { data } = useQuery(fieldsQuery(useScreens()));
  return data?.fields.some(({ subject }) => subject === props.subject) ? <Part {...props} /> : null;
}
