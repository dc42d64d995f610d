import { expect, it } from 'vitest';
import { CHANNEL_KINDS } from './channel-kind.ts';
import { loadAccounts } from './load-accounts.ts';
import { chatWith, makePerson } from './people.ts';
import type { Providers } from './providers.ts';
import type { Channel, Message, Status } from './state.ts';

it('a WhatsApp text has the shape of the published webhook', () => {
  expectLike(CHANNEL_KINDS.whatsapp.wrote(occurrence('whatsapp'))[0], textSample);
});

it('a WhatsApp person without a phone number has only a business-scoped id', () => {
  const given = occurrence('whatsapp');
  given.chat.person = { ...given.chat.person, phone: null };
  const [update] = CHANNEL_KINDS.whatsapp.wrote(given);
  expectLike(
    update,
    whatsapp({
      contacts: [{ profile: { name: 'Pablo Morales', username: 'pablomorales' }, user_id: 'US.1349120865' }],
      messages: [
        { from_user_id: 'US.1349120865', id: 'wamid.A', timestamp: '1', type: 'text', text: { body: 'Hi' } },
      ],
    }),
  );
  expect(JSON.stringify(update)).not.toMatch(/"(wa_id|from)"/);
});

it.each([
  ['delivered', null],
  ['failed', 131047],
] as const)('the WhatsApp status %s has the shape of the published webhook', (status, code) => {
  const given = occurrence('whatsapp', { direction: 'out' });
  const failure = CHANNEL_KINDS.whatsapp.lateFailures.find((each) => each.code === code);
  const errors = [
    { code: 131047, title: 'a', message: 'a', error_data: { details: 'b' }, href: 'https://developers' },
  ];
  expectLike(
    CHANNEL_KINDS.whatsapp.receipt(given, status satisfies Status, failure),
    whatsapp({
      statuses: [
        {
          id: 'wamid.A',
          status,
          timestamp: '1750263773',
          recipient_id: '16505551234',
          ...(code ? { errors } : {}),
        },
      ],
    }),
  );
});

it('a WhatsApp edit contains the id of the edited message', () => {
  const edit = { original_message_id: 'wamid.A', message: { type: 'text', text: { body: 'b' } } };
  expectLike(
    CHANNEL_KINDS.whatsapp.edited(occurrence('whatsapp')),
    whatsapp({ messages: [{ from: '1', id: 'wamid.B', timestamp: '1', type: 'edit', edit }] }),
  );
});

const messaging = (object: string, event: object) => ({
  object,
  entry: [
    {
      id: '1',
      time: 1_458_692_752_478,
      messaging: [{ sender: { id: '1' }, recipient: { id: '2' }, timestamp: 1_458_692_752_478, ...event }],
    },
  ],
});

it.each([
  ['messenger', 'page'],
  ['instagram', 'instagram'],
] as const)('a text and a file on %s have the shape of the published webhooks', (channel, object) => {
  const kind = CHANNEL_KINDS[channel];
  expectLike(
    kind.wrote(occurrence(channel))[0],
    messaging(object, { message: { mid: 'm_1457764197618:41d102a3e1ae206a38', text: 'hello' } }),
  );
  const files = [{ id: '1', name: 'a.png', type: 'image/png', size: 1 }];
  expectLike(
    kind.wrote(occurrence(channel, { text: '', files }))[0],
    messaging(object, {
      message: { mid: 'm', attachments: [{ type: 'image', payload: { url: 'https://x' } }] },
    }),
  );
  expectLike(
    kind.edited(occurrence(channel)),
    messaging(object, { message_edit: { mid: 'm', text: 'b', num_edit: 1 } }),
  );
});

it('Messenger reports deliveries and reads up to a timestamp, Instagram the id of the read message', () => {
  const [page, instagram] = [CHANNEL_KINDS.messenger, CHANNEL_KINDS.instagram];
  const watermark = 1_458_668_856_253;
  expectLike(
    page.receipt(occurrence('messenger'), 'delivered'),
    messaging('page', { delivery: { mids: ['m'], watermark } }),
  );
  expectLike(page.receipt(occurrence('messenger'), 'read'), messaging('page', { read: { watermark } }));
  expectLike(
    instagram.receipt(occurrence('instagram'), 'read'),
    messaging('instagram', { read: { mid: 'm' } }),
  );
});

it('a Telegram message has the shape that the Bot API documents', () => {
  const chat = { id: 1_111_111, first_name: 'Test', last_name: 'Lastname', username: 'Testusername' };
  expectLike(CHANNEL_KINDS.telegram.wrote(occurrence('telegram'))[0], {
    update_id: 10_000,
    message: {
      date: 1_441_645_532,
      chat: { ...chat, type: 'private' },
      message_id: 1365,
      from: { ...chat, is_bot: false },
      text: '/start',
    },
  });
  expectLike(CHANNEL_KINDS.telegram.edited(occurrence('telegram')), {
    update_id: 1,
    edited_message: { message_id: 1, date: 1, edit_date: 1, chat: { id: 1 }, text: 'b' },
  });
});

const slack = (event: object) => ({
  token: 'XXYYZZ',
  team_id: 'T123ABC456',
  api_app_id: 'A123ABC456',
  event,
  type: 'event_callback',
  event_context: 'EC123ABC456',
  event_id: 'Ev123ABC456',
  event_time: 1_234_567_890,
  authorizations: [
    { team_id: 'T123ABC456', user_id: 'U123ABC456', is_bot: false, is_enterprise_install: false },
  ],
});

it('a Slack direct message and an edit have the shape that the Events API documents', () => {
  expectLike(
    CHANNEL_KINDS.slack.wrote(occurrence('slack'))[0],
    slack({
      type: 'message',
      channel: 'D024BE91L',
      user: 'U2147483697',
      text: 'Hello hello can you hear me?',
      ts: '1355517523.000005',
      event_ts: '1355517523.000005',
      channel_type: 'im',
    }),
  );
  const edited = { user: 'U2147483697', ts: '1355517536.000001' };
  expectLike(
    CHANNEL_KINDS.slack.edited(occurrence('slack')),
    slack({
      type: 'message',
      subtype: 'message_changed',
      channel: 'D024BE91L',
      ts: '1358878755.000001',
      message: { type: 'message', user: 'U2147483697', text: 'b', ts: '1355517523.000005', edited },
    }),
  );
});

it('a mention in Slack arrives twice, as a mention and as a message, with the same ts', () => {
  const given = occurrence('slack');
  given.chat.place = { channel: 'C061EG9T2', threadTs: given.message.id };
  given.message.text = `<@${given.account.slack?.botUserId}> help`;
  const events = CHANNEL_KINDS.slack.wrote(given);
  expectLike(
    events[0],
    slack({
      type: 'app_mention',
      user: 'U061F7AUR',
      text: '<@U0LAN0Z89>',
      ts: '1',
      channel: 'C',
      event_ts: '1',
    }),
  );
  expectLike(events[1], slack({ type: 'message', channel: 'C061EG9T2', channel_type: 'channel', ts: '1' }));
});

/** Expects every path of the published sample in the update, with the same type. */
function expectLike(update: unknown, sample: unknown): void {
  const paths = pathsOf(update);
  expect(pathsOf(sample).filter((path) => !paths.includes(path))).toEqual([]);
}

/** Returns every path of keys in a value with the type at its end; `[]` is an element of a list. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsOf(each, `${path}[]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => pathsOf(each, `${path}.${key}`));
  }
  return [`${path} ${typeof value}`];
}

/** Creates the context of an update, without a running stand-in. */
function occurrence(channel: Channel, given: Partial<Message> = {}) {
  const accounts = loadAccounts('http://localhost:1');
  const account = [...accounts.values()].find((each) => each.channel === channel);
  if (!account) throw new Error(`There is no account of ${channel}.`);
  const chat = chatWith(account, makePerson(account, 'Ada Marsh', 'ada.marsh'));
  const message: Message = {
    id: CHANNEL_KINDS[channel].newMessageId(),
    direction: 'in',
    text: 'Hello',
    files: [],
    album: null,
    kind: null,
    entities: [],
    at: new Date(),
    status: null,
    failure: null,
    edits: 1,
    removed: false,
    reaction: null,
    label: null,
    ...given,
  };
  const providers = { settings: { url: 'http://localhost:2' }, state: { files: new Map() } };
  return { providers: providers as unknown as Providers, account, chat, message };
}

function whatsapp(value: object) {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [{ value: { messaging_product: 'whatsapp', metadata: meta, ...value }, field: 'messages' }],
      },
    ],
  };
}

const meta = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };

const textSample = whatsapp({
  contacts: [{ profile: { name: 'Sheena Nelson' }, wa_id: '16505551234' }],
  messages: [
    {
      from: '16505551234',
      id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=',
      timestamp: '1749416383',
      type: 'text',
      text: { body: 'Does it come in another color?' },
    },
  ],
});
