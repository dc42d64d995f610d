import { randomUUID } from 'node:crypto';
import type { ChannelIdentity } from '#server/contacts/contact-of-identity.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import { parseEmail } from '#server/contract/parse-email.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { type FieldErrors, invalid, Refusal } from '#server/core/errors.ts';
import { cleanName } from '#server/core/text.ts';
import { CHANNEL_LIST } from '#server/inbox/channels/channel-names.ts';
import {
  CONTENT_MAX_LENGTH,
  type Received,
  SUBJECT_MAX_LENGTH,
} from '#server/inbox/messages/incoming-message.ts';
import { receiveNew } from '#server/inbox/messages/receive-message.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';
import { isTestWorkspace } from '#server/teammates/test-workspaces.ts';

/** Channels on which a test contact can write. The web chat has its own page. */
export const TEST_CHANNELS = CHANNEL_LIST.filter((channel) => channel !== 'webchat');
type TestChannel = (typeof TEST_CHANNELS)[number];

/** A message of a contact, as a teammate typed it. `address`: email address, phone number or name at the provider. */
type TestMessage = { channel: TestChannel; name: string; address: string; subject: string; content: string };

/**
 * Receives a message of a contact in a test workspace, as if it came from the provider or a mail server. A chat continues while its
 * conversation is not closed. An email starts a conversation, or without a subject continues the newest one of the contact.
 * @throws Refusal outside a test workspace, when a field is invalid, and for an address of the workspace
 */
export async function writeAsContact(workspaceId: string, typed: TestMessage): Promise<Received> {
  if (!(await isTestWorkspace(db(), workspaceId)))
    throw new Refusal('forbidden', 'Only a test workspace has test contacts.');
  const message = parseMessage(typed);
  return message.channel === 'email' ? receiveEmail(workspaceId, message) : receiveChat(workspaceId, message);
}

/** Maximum lengths, in characters. */
const NAME_MAX_LENGTH = 80;
const ADDRESS_MAX_LENGTH = 254;
const PHONE = /^\+?[\d\s()-]{5,30}$/;

/** @throws Refusal that names every invalid field */
function parseMessage({ channel, ...typed }: TestMessage): TestMessage {
  const name = cleanName(typed.name);
  const address = typed.address.trim();
  const subject = cleanName(typed.subject);
  const errors: FieldErrors = {};
  if (name.length > NAME_MAX_LENGTH)
    errors.name = [`The name must be at most ${NAME_MAX_LENGTH} characters.`];
  const problem = addressProblem(channel, address);
  if (problem) errors.address = [problem];
  if (subject.length > SUBJECT_MAX_LENGTH)
    errors.subject = [`The subject must be at most ${SUBJECT_MAX_LENGTH} characters.`];
  if (typed.content.trim() === '') errors.content = ['The message must not be empty.'];
  if (typed.content.length > CONTENT_MAX_LENGTH)
    errors.content = [`The message must be at most ${CONTENT_MAX_LENGTH.toLocaleString('en')} characters.`];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { channel, name, address, subject, content: typed.content };
}

function addressProblem(channel: TestChannel, address: string): string | undefined {
  if (channel === 'email')
    return parseEmail(address) === undefined
      ? 'Enter a complete email address, for example ada@example.com.'
      : undefined;
  if (channel === 'whatsapp')
    return PHONE.test(address) ? undefined : 'Enter a phone number, for example +49 30 123456.';
  if (address === '') return 'Enter a user name.';
  return address.length > ADDRESS_MAX_LENGTH || cleanName(address) !== address
    ? `The user name must be one line of at most ${ADDRESS_MAX_LENGTH} characters.`
    : undefined;
}

async function receiveEmail(
  workspaceId: string,
  { name, address, subject, content }: TestMessage,
): Promise<Received> {
  const email = parseEmail(address) ?? '';
  const owner = await findAddressOwner(db(), { workspaceId, email });
  if (owner)
    throw invalid({
      address: [`${email} belongs to a ${owner} of this workspace. Enter the address of a contact.`],
    });
  const mailbox = await db().mailbox.findFirst({
    where: { workspaceId, isDefault: true },
    select: { id: true, address: true },
  });
  return receiveNew(
    {
      workspaceId,
      channel: 'email',
      subject: subject || null,
      mailboxId: mailbox?.id ?? null,
      content,
      externalId: null,
      senderName: name || null,
      mail: {
        messageIdHeader: `<${randomUUID()}@contact.invalid>`,
        author: email,
        senderVerified: true,
        to: mailbox ? [mailbox.address] : [],
        cc: [],
        html: null,
        fullContent: null,
        originalFileId: null,
      },
    },
    {
      kind: 'known',
      target: {
        conversationId: subject === '' ? await findNewest(workspaceId, email) : null,
        contact: { fields: { email, ...(name === '' ? {} : { name }) } },
        contactClaimed: false,
      },
    },
  );
}

/** Returns the id of the newest email conversation of a contact, or null. */
async function findNewest(workspaceId: string, email: string): Promise<string | null> {
  const [found] = await sql().$queryRaw<{ id: string }[]>`
    select id from conversations
    where workspace_id = ${workspaceId}::uuid and contact_id = ${contactIdWithEmail({ workspaceId, email })}
      and channel = 'email' and merged_into_id is null and removal is null
    order by created_at desc, id desc limit 1`;
  return found?.id ?? null;
}

async function receiveChat(
  workspaceId: string,
  { channel, name, address, content }: TestMessage,
): Promise<Received> {
  const externalId = channel === 'whatsapp' ? address.replaceAll(/[^\d+]/g, '') : address;
  const identity: ChannelIdentity = {
    channel,
    scope: '',
    externalId,
    name: name || null,
    phone: channel === 'whatsapp' ? address : null,
  };
  const thread = `${channel}:${externalId}`;
  const message = { workspaceId, channel, content, externalThreadId: thread, externalId: null };
  return receiveNew(message, { kind: 'thread', identity });
}
