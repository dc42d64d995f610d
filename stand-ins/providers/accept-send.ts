import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../http/responses.ts';
import { addMessage } from './add-message.ts';
import { CHANNEL_KINDS } from './channel-kind.ts';
import { changed, type Providers } from './providers.ts';
import { type Account, type Chat, keyOf, type Message, type Status } from './state.ts';

/** The refusal that this send meets, if any; it is used up unless every send is refused. */
export function refusalFor({ switches, channel }: Account): HttpResponse | undefined {
  const { refusals } = CHANNEL_KINDS[channel];
  const key = switches.refuseNext;
  if (key === null) return undefined;
  if (!switches.refuseAll) switches.refuseNext = null;
  return refusals[key]?.response;
}

/** How long a message is on its way from one status to the next. */
const STATUS_MS = 150;

/** Takes a message of the service: it is in the chat, and its statuses follow as the account's switches say. */
export function acceptSend(
  providers: Providers,
  account: Account,
  chat: Chat,
  given: Pick<Message, 'id' | 'text' | 'files'> & Partial<Pick<Message, 'label'>>,
): Message {
  const message = addMessage(providers, chat, { ...given, direction: 'out', status: 'sent' });
  const late = account.switches.lateFailure;
  account.switches.lateFailure = null;
  void reportLater(providers, account, chat, message, late);
  return message;
}

async function reportLater(
  providers: Providers,
  account: Account,
  chat: Chat,
  message: Message,
  lateFailure: string | null,
): Promise<void> {
  const { receipts, reversed } = account.switches;
  const after: Record<typeof receipts, Status[]> = {
    none: [],
    delivered: ['sent', 'delivered'],
    read: ['sent', 'delivered', 'read'],
  };
  const statuses: Status[] = lateFailure ? ['sent', 'failed'] : after[receipts];
  for (const status of statuses) {
    await sleep(reversed ? 0 : STATUS_MS);
    // Everything was reset meanwhile.
    if (providers.state.accounts.get(keyOf(account)) !== account) return;
    reportStatus(providers, account, chat, message, status, lateFailure);
  }
}

/** Tells the service what became of a message of its own. */
export function reportStatus(
  providers: Providers,
  account: Account,
  chat: Chat,
  message: Message,
  status: Status,
  failureCode: string | null = null,
): void {
  const kind = CHANNEL_KINDS[account.channel];
  const failure = kind.lateFailures.find(({ code }) => String(code) === failureCode) ?? kind.lateFailures[0];
  const isFailed = status === 'failed' && failure;
  message.status = status;
  message.failure = isFailed ? `${failure.code} ${failure.title}` : null;
  const update = kind.receipt({ providers, account, chat, message }, status, isFailed ? failure : undefined);
  if (update) providers.outbox.put(account, update);
  changed(providers);
}
