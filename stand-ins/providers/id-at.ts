import { uuid } from './make-ids.ts';

/** A Message-ID of the domain of an address. */
export function idAt(address: string): string {
  return `<${uuid()}@${address.slice(address.lastIndexOf('@') + 1) || 'contacts.example'}>`;
}
