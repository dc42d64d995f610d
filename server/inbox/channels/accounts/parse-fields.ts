import { invalid } from '#server/core/errors.ts';
import type { ChannelField } from '#server/inbox/channels/channel-names.ts';

const FIELD_MAX_LENGTH = 1_000;
/** Tokens and ids are printable and have no spaces in them. */
const PRINTABLE = /^[\x21-\x7e]*$/;

/**
 * What was filled in to connect an account, trimmed; only fields that the channel has.
 * @throws Refusal with a sentence for each field that is missing or cannot be right
 */
export function parseFields(fields: ChannelField[], given: Record<string, string>): Record<string, string> {
  const errors: Record<string, string[]> = {};
  const parsed: Record<string, string> = {};
  for (const { name, label, optional = false } of fields) {
    const value = (given[name] ?? '').slice(0, FIELD_MAX_LENGTH + 1).trim();
    if (value === '') {
      if (!optional) errors[name] = [`${label} is missing. Copy it from the provider’s settings.`];
    } else if (value.length > FIELD_MAX_LENGTH || !PRINTABLE.test(value)) {
      errors[name] = [`${label} is not valid. Copy it again, without spaces.`];
    } else parsed[name] = value;
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return parsed;
}
