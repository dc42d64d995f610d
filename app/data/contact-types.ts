import type { openScreens } from '#app/data/open-screens.ts';

type Contacts = Awaited<ReturnType<typeof openScreens>>['contacts'];

/** A contact as the list shows it. */
export type ContactRow = Awaited<ReturnType<Contacts['list']>>[number];

/** A contact with everything its own page shows. */
export type ContactPageData = NonNullable<Awaited<ReturnType<Contacts['open']>>>;
