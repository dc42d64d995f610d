import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../http/responses.ts';
import { addMessage } from './add-message.ts';
import { CHANNEL_KINDS } from './channel-kind.ts';
import { changed, type Providers } from './providers.ts';
import { type Account, type Chat, keyOf, type Message, type Status } from './state.ts';

/** Returns the configured rejection for this send, if any. It applies once unless every send is rejected. */
export function refusalFor({ switches, channel }: Account): HttpResponse | undefined {
  const { refusals } = CHANNEL_KINDS[channel];
  const key = switches.refuseNext;
  if (key === null) return undefined;
  if (!switches.refuseAll) switches.refuseNext = null;
  return refusals[key]?.response;
}

/** Delay between two statuses of a message, in ms. */
const STATUS_MS = 150;

/** Accepts a message from the service: adds it to the chat, and reports statuses as the account's switches say. */
export function acceptSend(
  providers: Providers,
  account: Account,
  chat: Chat,
  given: Pick<Message, 'id' | 'text' | 'files'> &
    Partial<Pick<Message, 'label' | 'kind' | 'entities' | 'album'>>,
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
    // Stop when a reset replaced the account.
    if (providers.state.accounts.get(keyOf(account)) !== account) return;
    reportStatus(providers, account, chat, message, status, lateFailure);
  }
}

/** Reports the status of a message to the service. */
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
