import type { ChannelField } from '#server/inbox/channels/channel-names.ts';

const ACCESS_TOKEN = {
  name: 'accessToken',
  label: 'Access token',
  secret: true,
} as const;

const APP_SECRET: ChannelField = {
  name: 'appSecret',
  label: 'App secret',
  hint: 'Under App settings, Basic, of your app at developers.facebook.com.',
  secret: true,
};

/** The fields that every channel of Meta asks for, the account's own first (decisions: conversations and contacts, 25). */
export function metaFields(own: ChannelField, accessTokenHint: string): ChannelField[] {
  return [own, { ...ACCESS_TOKEN, hint: accessTokenHint }, APP_SECRET];
}
