import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { callService, callUnlessMissing } from './call-service';
import { type Values, withoutEmpty } from './operations';

type Page = { data: IDataObject[] };
type Search = (node: IExecuteFunctions, values: Values, item: number) => Promise<IDataObject[]>;

/** Number of records that a search returns, as with OAuth2. */
const limit = 10;

/** Searches by resource. The developer API has lists where the automation API has searches. */
export const TOKEN_SEARCHES: Record<string, Search> = {
  contact: async (node, values, item) => {
    const { email, phone } = withoutEmpty(values);
    return email || phone ? readPage(node, '/contacts', withoutEmpty({ email, phone, limit }), item) : [];
  },
  conversation: async (node, { id, contact_email, status }, item) => {
    if (id) {
      const path = `/conversations/${encodeURIComponent(String(id))}`;
      const found = await callUnlessMissing(node, { method: 'GET', path }, item);
      return found ? [found] : [];
    }
    if (!contact_email) return [];
    const [contact] = await readPage(node, '/contacts', { email: contact_email, limit: 1 }, item);
    if (!contact) return [];
    const query = withoutEmpty({ contact_id: contact.id, status, order: 'desc', limit });
    return readPage(node, '/conversations', query, item);
  },
};

async function readPage(node: IExecuteFunctions, path: string, qs: IDataObject, item: number) {
  return (await callService<Page>(node, { method: 'GET', path, qs }, item)).data;
}
