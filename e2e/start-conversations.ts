import type { Page } from '@playwright/test';
import type { Connection } from './connection.ts';
import { connect } from './steps.ts';

type Started = {
  connection: Connection;
  ids: string[];
  /** Search text that finds exactly these conversations. */
  search: string;
};

/** Starts email conversations with a new contact by a workflow of the owner, who stays connected and signed in. */
export async function startConversations(page: Page, count: number): Promise<Started> {
  const connection = await connect(page, 'owner@demo.test');
  const mark = Date.now();
  const search = `Several ${mark}`;
  const create = (number: number) =>
    connection.run('create-conversation', {
      to_email: `several.${mark}@example.com`,
      to_name: 'Nora Newcomer',
      subject: `${search} number ${number}`,
      content: 'Your order is on its way.',
    });
  const [first, ...others] = Array.from({ length: count }, (_, index) => index + 1);
  // The first one creates the contact.
  const ids = first === undefined ? [] : [(await create(first)).id];
  const created = await Promise.all(others.map(create));
  return { connection, ids: [...ids, ...created.map(({ id }) => id)], search };
}
