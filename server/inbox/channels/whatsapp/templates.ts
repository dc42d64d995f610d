import { z } from 'zod';
import { db } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { ProviderFault } from '#server/core/provider-request.ts';
import { notConnectedSentence } from '#server/inbox/channels/accounts/account-channel-status.ts';
import { findReplyAccount } from '#server/inbox/channels/accounts/find-account.ts';
import { openAccount } from '#server/inbox/channels/accounts/open-account.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { callGraph } from '#server/inbox/channels/meta/graph-api.ts';
import { errorMessage } from '#server/inbox/channels/meta/graph-errors.ts';
import { listOf, optional, text } from '#server/inbox/channels/meta/meta-webhook.ts';
import { businessAccountOf } from '#server/inbox/channels/whatsapp/connect-whatsapp.ts';

/** An approved WhatsApp template, as the composer shows it. */
export type TemplateView = {
  name: string;
  /** WhatsApp's language code, for example `en_US`. */
  language: string;
  header: string | null;
  /** Text with placeholders, for example `{{1}}`. */
  body: string;
  footer: string | null;
  /** Unique names of the placeholders. */
  places: string[];
};

/** Upper bound on the fetched templates. A business account has at most 6,000. */
const PAGE_SIZE = 200;
const PAGES_MAX = 5;
const NO_BUSINESS_ACCOUNT =
  'Templates need the Business account ID. An owner or admin can add it in Settings > Channels by connecting the number again.';
const UNREACHABLE = 'WhatsApp could not be reached. Try again later.';

const componentShape = z.object({
  type: z.string(),
  format: text,
  text,
  buttons: listOf(z.object({ type: z.string(), url: text })),
});
const templateShape = z.object({
  name: z.string(),
  language: z.string(),
  status: z.string(),
  components: listOf(componentShape),
});
const pageShape = z.object({
  data: listOf(templateShape),
  paging: optional(z.object({ next: text, cursors: optional(z.object({ after: text })) })),
});

type Template = z.infer<typeof templateShape>;

type Which = { workspaceId: string; conversationId: string };

/** A placeholder: `{{1}}` or `{{first_name}}`. */
const PLACE = /\{\{\s*([a-z0-9_]+)\s*\}\}/g;

/**
 * Lists the approved templates that can be sent in a conversation. Skips templates with placeholders outside of the
 * body text.
 * @throws Refusal when the WhatsApp conversation does not exist, its account has no business account, or WhatsApp
 *   rejects the request
 */
export async function listTemplates(which: Which): Promise<TemplateView[]> {
  const account = await findAccount(which);
  const id = businessAccountOf(account);
  if (id === null) throw new Refusal('invalid', NO_BUSINESS_ACCOUNT);
  const found: TemplateView[] = [];
  let after = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, paging } = await fetchPage(account, id, after);
    found.push(...data.flatMap(viewOf));
    after = paging?.next ? (paging.cursors?.after ?? '') : '';
    if (after === '') break;
  }
  return found;
}

async function findAccount({ workspaceId, conversationId }: Which): Promise<ConnectedAccount> {
  const conversation = await db().conversation.findFirst({
    where: { id: conversationId, workspaceId, channel: 'whatsapp' },
    select: { channelAccountId: true },
  });
  if (!conversation) throw notFound('The conversation');
  const { channelAccountId } = conversation;
  const sealed = await findReplyAccount(db(), { workspaceId, channel: 'whatsapp', channelAccountId });
  if (!sealed) throw new Refusal('invalid', notConnectedSentence('whatsapp'));
  return openAccount(sealed);
}

async function fetchPage({ credentials }: ConnectedAccount, id: string, after: string) {
  const query = {
    fields: 'name,language,status,components',
    limit: String(PAGE_SIZE),
    ...(after === '' ? {} : { after }),
  };
  try {
    const response = await callGraph({
      token: credentials.accessToken ?? '',
      path: `${id}/message_templates`,
      query,
    });
    if (response.ok) return pageShape.parse(response.body);
    throw new Refusal('invalid', errorMessage('whatsapp', response.refusal));
  } catch (error) {
    throw error instanceof ProviderFault ? new Refusal('invalid', UNREACHABLE) : error;
  }
}

/** Parts of a template that can be sent without values, besides those of the body. Others are carousels and limited offers. */
const PLAIN_PARTS = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);
/** Buttons that need a value: a code or products. */
const WITH_VALUE = new Set(['OTP', 'COPY_CODE', 'MPM', 'SPM', 'ORDER_DETAILS']);

/** Returns no view for a template with parameters outside of its body: the composer cannot fill them in. */
function viewOf({ name, language, status, components }: Template): TemplateView[] {
  const part = (type: string) => components.find((each) => each.type.toUpperCase() === type);
  const [header, body, footer] = [part('HEADER'), part('BODY'), part('FOOTER')];
  const isPlain =
    (header === undefined || (header.format === 'TEXT' && placesIn(header.text).length === 0)) &&
    components.every(
      ({ type: kind, buttons }) =>
        PLAIN_PARTS.has(kind.toUpperCase()) &&
        buttons.every(({ type, url }) => !WITH_VALUE.has(type.toUpperCase()) && placesIn(url).length === 0),
    );
  if (status !== 'APPROVED' || !isPlain || !body?.text) return [];
  return [
    {
      name,
      language,
      header: header?.text ?? null,
      body: body.text,
      footer: footer?.text ?? null,
      places: placesIn(body.text),
    },
  ];
}

function placesIn(written = ''): string[] {
  return [...new Set([...written.matchAll(PLACE)].map(([, place = '']) => place))];
}

/**
 * Fills in a template.
 * @throws Refusal when the template does not exist, or a value is missing or too long
 */
export function fillTemplate(
  templates: TemplateView[],
  { name, language, values }: { name: string; language: string; values: Record<string, string> },
) {
  const template = templates.find((each) => each.name === name && each.language === language);
  if (!template) throw notFound('The template');
  const filled = template.places.map((place) => {
    const value = (values[place] ?? '').replaceAll(/\s+/g, ' ').trim();
    if (value === '') throw invalid({ [`value_${place}`]: [`A value for {{${place}}} is missing.`] });
    if (value.length > VALUE_MAX_LENGTH) {
      throw invalid({ [`value_${place}`]: [`Each value must be at most ${VALUE_MAX_LENGTH} characters.`] });
    }
    return { place, value };
  });
  const ordered = template.places.every((place) => /^\d+$/.test(place));
  if (ordered) filled.sort((a, b) => Number(a.place) - Number(b.place));
  const body = template.body.replaceAll(
    PLACE,
    (_all, place: string) => filled.find((each) => each.place === place)?.value ?? '',
  );
  return {
    content: [template.header, body, template.footer].filter(Boolean).join('\n\n'),
    template: {
      name,
      language,
      values: filled.map(({ place, value }) => ({ name: ordered ? null : place, text: value })),
    },
  };
}

const VALUE_MAX_LENGTH = 1_024;
