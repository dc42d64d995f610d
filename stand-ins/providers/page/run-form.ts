import { type ProviderRequest, textOf } from '../../http/bodies.ts';
import { reportStatus } from '../accept-send.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import { addRecord, removeRecord } from '../dns/change-records.ts';
import { MAIL_ANSWERS } from '../mail/mail-state.ts';
import { findMessage, findOrMakePerson, personActs, personWrites } from '../person-acts.ts';
import { changed, type Providers } from '../providers.ts';
import { type Account, keyOf, WINDOWS } from '../state.ts';
import { verifyAddress } from '../verify-address.ts';
import { runMailForm, withNotice } from './run-mail-form.ts';

/** Handles a submitted form. Returns the URL of the next page, or null when the form does not exist. */
export async function runForm(providers: Providers, request: ProviderRequest): Promise<string | null> {
  const [first = '', second = '', third = ''] = request.path.split('/').slice(1).map(decodeURIComponent);
  if (first === 'mail-answer') return setMailAnswer(providers, request);
  if (first === 'dns') return changeRecords(providers, second, request);
  if (first === 'mail') return await runMailForm(providers, second, third, request);
  const account = providers.state.accounts.get(second);
  if (!account) return null;
  if (first === 'do')
    return third ? act(providers, account, third, request) : write(providers, account, request);
  if (first === 'switches') return setSwitches(providers, account, request);
  if (first === 'address') return await enterAddress(providers, account, request);
  return null;
}

function changeRecords(providers: Providers, what: string, { fields }: ProviderRequest): string | null {
  if (what === 'remove') {
    removeRecord(providers, Number(textOf(fields.index)));
    return '/dns';
  }
  const problem = addRecord(providers, {
    type: textOf(fields.type),
    name: textOf(fields.name),
    value: textOf(fields.value),
  });
  return withNotice('/dns', problem ?? 'The record was added.');
}

async function enterAddress(
  providers: Providers,
  account: Account,
  { fields }: ProviderRequest,
): Promise<string> {
  const address = textOf(fields.address);
  if (!URL.canParse(address)) return withNotice('/accounts', 'The address is not a valid URL.');
  const { message } = await verifyAddress(providers, account, address, textOf(fields.verify_token));
  return withNotice('/accounts', message);
}

function write(providers: Providers, account: Account, { fields, files }: ProviderRequest): string {
  const [from, text] = [textOf(fields.from).trim(), textOf(fields.text)];
  const page = `/?account=${encodeURIComponent(keyOf(account))}`;
  const written = files.filter(({ content }) => content.length > 0);
  if (!from || (!text.trim() && written.length === 0))
    return withNotice(page, 'Write something, or add a file.');
  const { chat } = personWrites(providers, account, findOrMakePerson(account, from), {
    text,
    files: written,
    mention: fields.mention === '1',
    chatKey: textOf(fields.chat) || undefined,
  });
  return `${page}&chat=${encodeURIComponent(chat.key)}`;
}

function act(providers: Providers, account: Account, id: string, { fields }: ProviderRequest): string {
  const back = textOf(fields.back);
  const page = back.startsWith('/?') ? back : '/';
  const found = findMessage(account, id);
  if (!found) return page;
  const kind = textOf(fields.act);
  if (kind === 'fail') {
    reportStatus(providers, account, found.chat, found.message, 'failed');
    return page;
  }
  const emoji = found.message.reaction ? '' : '👍';
  const sent =
    kind === 'edit'
      ? personActs(providers, account, found, { kind, text: textOf(fields.text) })
      : kind === 'remove'
        ? personActs(providers, account, found, { kind })
        : personActs(providers, account, found, { kind: 'react', emoji });
  return sent ? page : withNotice(page, `${CHANNEL_KINDS[account.channel].label} sends no update for this.`);
}

function setSwitches(providers: Providers, account: Account, { fields }: ProviderRequest): string {
  const { switches } = account;
  const receipts = textOf(fields.receipts);
  account.switches = {
    window: WINDOWS.find((each) => each === fields.window) ?? switches.window,
    refuseNext: textOf(fields.refuse_next) || null,
    refuseAll: fields.refuse_all === '1',
    lateFailure: textOf(fields.late_failure) || null,
    times: Math.min(Number(fields.times) || 1, 20),
    reversed: fields.reversed === '1',
    receipts: receipts === 'none' || receipts === 'delivered' ? receipts : 'read',
    tokenValid: fields.token_invalid !== '1',
  };
  changed(providers);
  return `/?account=${encodeURIComponent(keyOf(account))}`;
}

function setMailAnswer(providers: Providers, { fields }: ProviderRequest): string {
  const answer = MAIL_ANSWERS.find((each) => each === fields.answer) ?? 'accept';
  const count = answer === 'accept' || fields.all === '1' ? null : 1;
  Object.assign(providers.state.mail, { answer, count });
  changed(providers);
  return '/mail';
}
