import { changed, type Providers } from '../providers.ts';
import { ADDED_TYPES, type DnsRecord } from './dns-message.ts';
import { isOwnName } from './own-names.ts';

const RECORDS_MAX = 200;
/** A UDP answer without extensions has 512 bytes (RFC 1035 §4.2.1); a DKIM record of 2,048 bits needs about 410. */
const VALUE_MAX_LENGTH = 450;
const HOST = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63}){0,10}$/;

/** Adds a record as at a registrar. Returns the problem as a sentence, or undefined. */
export function addRecord(
  providers: Providers,
  given: { type: string; name: string; value: string },
): string | undefined {
  const name = given.name.trim().toLowerCase();
  const value = given.value.trim();
  const type = ADDED_TYPES.find((each) => each === given.type);
  if (type === undefined) return 'The type must be TXT or MX.';
  if (!HOST.test(name)) return 'The name is not valid.';
  if (!isOwnName(name)) return 'The name must end in .test or .example: other names are real.';
  if (value === '' || value.length > VALUE_MAX_LENGTH)
    return `The value must have 1 to ${VALUE_MAX_LENGTH} characters.`;
  const record: DnsRecord = { type, name, value: type === 'MX' ? mxValue(value) : value };
  if (record.value === '') return 'The value must be a priority and a host, such as 10 localhost.';
  const { dns } = providers.state;
  dns.records = [...dns.records.slice(1 - RECORDS_MAX), record];
  changed(providers);
  return undefined;
}

/** Returns `priority host`, with the usual priority if there is none, or an empty text for another value. */
function mxValue(value: string): string {
  const [first = '', second] = value.toLowerCase().split(/\s+/);
  const [priority, host] = second === undefined ? ['10', first] : [first, second];
  return /^\d{1,5}$/.test(priority) && Number(priority) <= 65_535 && HOST.test(host)
    ? `${priority} ${host}`
    : '';
}

export function removeRecord(providers: Providers, index: number): void {
  const { dns } = providers.state;
  dns.records = dns.records.filter((_, at) => at !== index);
  changed(providers);
}
