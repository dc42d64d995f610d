import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import type { ConnectedAccount, ConnectResult } from '#server/inbox/channels/channel-adapter.ts';
import {
  askAboutAccount,
  inspectToken,
  isMetaId,
  subscribeApp,
} from '#server/inbox/channels/meta/meta-account.ts';

const NUMBER = { name: 'phoneNumberId', label: 'Phone number ID' };
const BUSINESS = { name: 'businessAccountId', label: 'Business account ID' };

const numberShape = z.object({
  id: z.string(),
  display_phone_number: z.string().catch(''),
  verified_name: z.string().catch(''),
});

/** Asks WhatsApp whose number it is, and whether the business account is one that the token sees. */
export async function connectWhatsapp(fields: Record<string, string>): Promise<ConnectResult> {
  const { phoneNumberId = '', businessAccountId = '', accessToken = '', appSecret = '' } = fields;
  if (businessAccountId !== '' && !isMetaId(businessAccountId)) {
    throw invalid({ businessAccountId: ['Business account ID has digits only. Copy it again.'] });
  }
  const query = { fields: 'id,display_phone_number,verified_name' };
  const number = numberShape.safeParse(await askAboutAccount(fields, NUMBER, query)).data;
  if (number?.id !== phoneNumberId) {
    throw invalid({ phoneNumberId: ['WhatsApp has no number of this Phone number ID. Copy it again.'] });
  }
  if (businessAccountId !== '') await askAboutAccount(fields, BUSINESS, { fields: 'id' });
  return {
    externalId: phoneNumberId,
    name: [number.verified_name, number.display_phone_number].filter(Boolean).join(' ') || phoneNumberId,
    credentials: { accessToken, appSecret },
    settings: { businessAccountId },
    expiresAt: (await inspectToken(accessToken))?.expiresAt ?? null,
  };
}

/** Has WhatsApp send what happens in the business account to the app of the token. */
export async function subscribeWhatsapp({ credentials, settings }: ConnectedAccount): Promise<void> {
  const id = businessAccountOf({ settings });
  if (id) await subscribeApp({ token: credentials.accessToken ?? '', id }, BUSINESS);
}

/** The business account that was filled in; null: none. */
export function businessAccountOf({ settings }: Pick<ConnectedAccount, 'settings'>): string | null {
  const { businessAccountId } = settings;
  return typeof businessAccountId === 'string' && isMetaId(businessAccountId) ? businessAccountId : null;
}
