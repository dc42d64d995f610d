import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import type { ConnectedAccount, ConnectResult } from '#server/inbox/channels/channel-adapter.ts';
import {
  inspectToken,
  isMetaId,
  requestAccount,
  subscribeApp,
} from '#server/inbox/channels/meta/meta-account.ts';

const NUMBER = { name: 'phoneNumberId', label: 'Phone number ID' };
const BUSINESS = { name: 'businessAccountId', label: 'Business account ID' };

const numberShape = z.object({
  id: z.string(),
  display_phone_number: z.string().catch(''),
  verified_name: z.string().catch(''),
});

/** Verifies the number, and the business account if given, with the token. */
export async function connectWhatsapp(fields: Record<string, string>): Promise<ConnectResult> {
  const { phoneNumberId = '', businessAccountId = '', accessToken = '', appSecret = '' } = fields;
  if (businessAccountId !== '' && !isMetaId(businessAccountId)) {
    throw invalid({ businessAccountId: ['Business account ID can contain only digits. Copy it again.'] });
  }
  const query = { fields: 'id,display_phone_number,verified_name' };
  const number = numberShape.safeParse(await requestAccount(fields, NUMBER, query)).data;
  if (number?.id !== phoneNumberId) {
    throw invalid({ phoneNumberId: ['WhatsApp has no number with this Phone number ID. Copy it again.'] });
  }
  if (businessAccountId !== '') await requestAccount(fields, BUSINESS, { fields: 'id' });
  return {
    externalId: phoneNumberId,
    name: [number.verified_name, number.display_phone_number].filter(Boolean).join(' ') || phoneNumberId,
    credentials: { accessToken, appSecret },
    settings: { businessAccountId },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}

/** Subscribes the token's app to the updates of the business account. */
export async function subscribeWhatsapp({ credentials, settings }: ConnectedAccount): Promise<void> {
  const id = businessAccountOf({ settings });
  if (id) await subscribeApp({ token: credentials.accessToken ?? '', id }, BUSINESS);
}

/** Returns the business account id from the settings, or null. */
export function businessAccountOf({ settings }: Pick<ConnectedAccount, 'settings'>): string | null {
  const { businessAccountId } = settings;
  return typeof businessAccountId === 'string' && isMetaId(businessAccountId) ? businessAccountId : null;
}
