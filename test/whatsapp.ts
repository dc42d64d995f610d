import { randomUUID } from 'node:crypto';
import { withChannelService } from '#test/channel-service.ts';
import {
  callWebhook,
  connectMeta,
  describeObject,
  graphError,
  type MetaAccount,
  messagesIn,
  receiveUpdate,
} from '#test/meta.ts';
import type { ProviderCall } from '#test/provider-server.ts';

/** For a test file about WhatsApp: the service, the Cloud API, a number that is connected, and what a person writes to it. */
export function withWhatsapp() {
  /** The Cloud API as it answers when nothing is wrong. */
  function cloudApi(call: ProviderCall): object | undefined {
    const { method, path, body } = call;
    if (method === 'POST' && path.endsWith('/messages')) {
      return {
        messaging_product: 'whatsapp',
        contacts: [{ input: body.to, wa_id: body.to }],
        messages: [{ id: wamid() }],
      };
    }
    if (method === 'POST' && path.endsWith('/media')) return { id: '4490709327384033' };
    if (path.includes('display_phone_number')) {
      const [, id] = /\/(\d+)\?/.exec(path) ?? [];
      return { id, verified_name: 'Acme', display_phone_number: '+1 555 010 0100' };
    }
    return describeObject(call);
  }

  const service = withChannelService((url) => ({ META_API_URL: url }), cloudApi);
  const connect = (more?: Record<string, string>) => connectMeta('whatsapp', 'phoneNumberId', more);
  const wamid = () => `wamid.${randomUUID()}`;
  const receive = (account: MetaAccount, body: unknown) => receiveUpdate(service.url, account, body);
  const call = (...given: [MetaAccount, unknown, Record<string, string>?]) =>
    callWebhook(service.url, ...given);

  const ADA = '16505551234';
  const BSUID = 'US.13491208655302741918';

  function change({ externalId }: { externalId: string }, value: object, field = 'messages') {
    const metadata = { display_phone_number: '15550100100', phone_number_id: externalId };
    return { value: { messaging_product: 'whatsapp', metadata, ...value }, field };
  }
  const webhook = (...changes: object[]) => ({
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes }],
  });

  const messageOf = (given: object = {}) => ({
    from: ADA,
    id: wamid(),
    timestamp: '1749416383',
    type: 'text',
    text: { body: 'Does it come in another color?' },
    ...given,
  });
  const contacts = [{ profile: { name: 'Sheena Nelson' }, wa_id: ADA }];

  const written = (account: { externalId: string }, given: object = {}) =>
    webhook(change(account, { contacts, messages: [messageOf(given)] }));
  const statusOf = (account: MetaAccount, status: object) =>
    webhook(change(account, { statuses: [{ timestamp: '1', recipient_id: ADA, ...status }] }));
  const contentOf = async (account: MetaAccount, given: object) => {
    await receive(account, written(account, { text: undefined, ...given }));
    return (await messagesIn(account)).at(-1)?.content;
  };
  const sends = () => service.provider.calls.filter(({ path }) => path.endsWith('/messages'));
  /** From now on every send is answered so. */
  function refuseSends(code: number, given: Parameters<typeof graphError>[1] = {}, status = 400) {
    service.provider.respond((asked) =>
      asked.path.endsWith('/messages')
        ? { status, json: graphError(code, given) }
        : { json: cloudApi(asked) ?? {} },
    );
  }

  return {
    cloudApi,
    service,
    connect,
    wamid,
    receive,
    call,
    ADA,
    BSUID,
    change,
    webhook,
    messageOf,
    contacts,
    written,
    statusOf,
    contentOf,
    sends,
    refuseSends,
  };
}
