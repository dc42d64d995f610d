import { z } from 'zod';
import { missing, ok, type Reply } from '../../http/reply.ts';
import { reportStatus } from '../accept-send.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import { accountFields, loadAccounts, makeAccount } from '../load-accounts.ts';
import { emptyMailbox } from '../mail/mail-state.ts';
import { findMessage, findOrMakePerson, personActs, personWrites } from '../person-acts.ts';
import { changed } from '../providers.ts';
import { type Account, defaultSwitches, keyOf, STATUSES, WINDOWS } from '../state.ts';
import { verifyAddress } from '../verify-address.ts';
import { describeAccount, describeChat } from './describe.ts';
import { DNS_ROUTES } from './dns-routes.ts';
import { MAIL_ROUTES } from './mail-routes.ts';
import { type Call, decode, file, type Route, withBody } from './route.ts';

const writeBody = z.object({
  from: z.string().default('Ada Marsh'),
  hides_number: z.boolean().default(false),
  text: z.string().default(''),
  files: z.array(file).default([]),
  mention: z.boolean().default(false),
  chat: z.string().optional(),
});

const actBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('edit'), text: z.string() }),
  z.object({ kind: z.literal('remove') }),
  z.object({ kind: z.literal('react'), emoji: z.string() }),
]);

const switchesBody = z
  .object({
    window: z.enum(WINDOWS),
    refuse_next: z.string().nullable(),
    refuse_all: z.boolean(),
    late_failure: z.string().nullable(),
    times: z.int().min(1).max(20),
    reversed: z.boolean(),
    receipts: z.enum(['read', 'delivered', 'none']),
    token_valid: z.boolean(),
  })
  .partial();

const statusBody = z.object({ status: z.enum(STATUSES), failure: z.string().nullable().default(null) });
const addressBody = z.object({ address: z.url(), verify_token: z.string().default('') });
function onAccount<T>(
  schema: z.ZodType<T>,
  handle: (call: Call, account: Account, body: T) => Promise<Reply> | Reply,
): Route['handle'] {
  return withBody(schema, (call, body) => {
    const account = call.providers.state.accounts.get(decodeURIComponent(call.params.account ?? ''));
    return account ? handle(call, account, body) : missing('account');
  });
}

const nothing = z.unknown();
/** JSON routes for tests and for the pages' script. `:account` is `<channel>:<external id>`. */
export const CONTROL_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/control/accounts',
    handle: ({ providers, query }) =>
      ok(
        [...providers.state.accounts.values()]
          .filter(({ channel }) => (query.get('channel') ?? channel) === channel)
          .filter(({ workspace }) => (query.get('workspace') ?? workspace) === workspace)
          .map(describeAccount),
      ),
  },
  {
    method: 'POST',
    path: '/control/accounts',
    handle: withBody(accountFields, ({ providers }, fields) => {
      const account = makeAccount(fields, providers.settings.serviceUrl);
      providers.state.accounts.set(keyOf(account), account);
      changed(providers);
      return ok(describeAccount(account));
    }),
  },
  {
    method: 'GET',
    path: '/control/accounts/:account',
    handle: onAccount(nothing, (_call, account) => ok(describeAccount(account))),
  },
  {
    method: 'GET',
    path: '/control/accounts/:account/chats',
    handle: onAccount(nothing, (_call, account) => ok([...account.chats.values()].map(describeChat))),
  },
  {
    method: 'PATCH',
    path: '/control/accounts/:account/switches',
    handle: onAccount(switchesBody, ({ providers }, account, body) => {
      const { refusals, lateFailures } = CHANNEL_KINDS[account.channel];
      if (body.refuse_next && !refusals[body.refuse_next]) {
        return {
          status: 422,
          body: { message: `refuse_next is one of ${Object.keys(refusals).join(', ')}.` },
        };
      }
      if (body.late_failure && !lateFailures.some(({ code }) => String(code) === body.late_failure)) {
        const codes = lateFailures.map(({ code }) => code).join(', ') || 'none on this channel';
        return { status: 422, body: { message: `late_failure is one of: ${codes}.` } };
      }
      const { switches } = account;
      account.switches = {
        window: body.window ?? switches.window,
        refuseNext: body.refuse_next === undefined ? switches.refuseNext : body.refuse_next,
        refuseAll: body.refuse_all ?? switches.refuseAll,
        lateFailure: body.late_failure === undefined ? switches.lateFailure : body.late_failure,
        times: body.times ?? switches.times,
        reversed: body.reversed ?? switches.reversed,
        receipts: body.receipts ?? switches.receipts,
        tokenValid: body.token_valid ?? switches.tokenValid,
      };
      changed(providers);
      return ok(describeAccount(account));
    }),
  },
  {
    method: 'POST',
    path: '/control/accounts/:account/address',
    handle: onAccount(addressBody, async ({ providers }, account, { address, verify_token }) =>
      ok(await verifyAddress(providers, account, address, verify_token)),
    ),
  },
  {
    method: 'POST',
    path: '/control/accounts/:account/messages',
    handle: onAccount(writeBody, async ({ providers }, account, body) => {
      const person = findOrMakePerson(account, body.from, body.hides_number);
      const written = {
        text: body.text,
        files: decode(body.files),
        mention: body.mention,
        chatKey: body.chat,
      };
      const { chat, messages } = personWrites(providers, account, person, written);
      await providers.outbox.settled();
      return ok({ chat: chat.key, person, messages: messages.map(({ id }) => id) });
    }),
  },
  {
    method: 'POST',
    path: '/control/accounts/:account/messages/:message/acts',
    handle: onAccount(actBody, async ({ providers, params }, account, act) => {
      const found = findMessage(account, decodeURIComponent(params.message ?? ''));
      if (!found) return missing('message');
      const told = personActs(providers, account, found, act);
      await providers.outbox.settled();
      return ok({ told });
    }),
  },
  {
    method: 'POST',
    path: '/control/accounts/:account/messages/:message/status',
    handle: onAccount(statusBody, async ({ providers, params }, account, { status, failure }) => {
      const found = findMessage(account, decodeURIComponent(params.message ?? ''));
      if (!found) return missing('message');
      reportStatus(providers, account, found.chat, found.message, status, failure);
      await providers.outbox.settled();
      return ok({ status: found.message.status });
    }),
  },
  {
    method: 'POST',
    path: '/control/accounts/:account/updates',
    handle: onAccount(z.record(z.string(), z.unknown()), async ({ providers }, account, update) => {
      providers.outbox.put(account, update);
      await providers.outbox.settled();
      return ok({ put: true });
    }),
  },
  {
    method: 'GET',
    path: '/control/webhook-calls',
    handle: ({ providers, query }) =>
      ok(providers.state.webhookCalls.filter(({ account }) => (query.get('account') ?? account) === account)),
  },
  {
    method: 'POST',
    path: '/control/webhook-calls/:call/repeat',
    handle: ({ providers, params }) => {
      const call = providers.state.webhookCalls.find(({ id }) => id === params.call);
      const account = providers.state.accounts.get(call?.account ?? '');
      if (!call || !account || call.method !== 'POST') return missing('webhook call');
      providers.outbox.put(account, JSON.parse(call.body));
      return ok({ put: true });
    },
  },
  {
    method: 'GET',
    path: '/control/api-calls',
    handle: ({ providers, query }) =>
      ok(providers.state.apiCalls.filter(({ account }) => (query.get('account') ?? account) === account)),
  },
  ...MAIL_ROUTES,
  ...DNS_ROUTES,
  {
    method: 'POST',
    path: '/control/reset',
    handle: ({ providers }) => {
      const { state, settings } = providers;
      for (const account of state.accounts.values()) account.switches = defaultSwitches();
      const fresh = loadAccounts(settings.serviceUrl);
      for (const [key, account] of fresh) state.accounts.set(key, account);
      Object.assign(state, {
        webhookCalls: [],
        apiCalls: [],
        mail: emptyMailbox(state.mail.signing),
        dns: { records: [] },
      });
      changed(providers);
      return ok({ reset: true });
    },
  },
];
