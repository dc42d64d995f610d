import { type ProviderRequest, textOf } from '../../http/bodies.ts';
import { bounce } from '../mail/bounce.ts';
import { replyToMail } from '../mail/reply-to-mail.ts';
import { type SendResult, sendToService } from '../mail/send-to-service.ts';
import { idAt } from '../make-ids.ts';
import type { Providers } from '../providers.ts';

/** Handles the mail forms. Returns the URL of the next page, or null when the form or the mail does not exist. */
export async function runMailForm(
  providers: Providers,
  id: string,
  what: string,
  request: ProviderRequest,
): Promise<string | null> {
  if (!id) return shown(await write(providers, request));
  const mail = providers.state.mail.mails.find((each) => each.id === id);
  if (!mail) return null;
  if (what === 'reply') return shown(await replyToMail(providers, mail, textOf(request.fields.text)));
  if (what !== 'bounce') return null;
  const result = await bounce(providers, mail);
  return result
    ? shown(result)
    : withNotice(`/mail?mail=${id}`, 'The mail has no envelope sender to bounce to.');
}

async function write(providers: Providers, { fields, files }: ProviderRequest): Promise<SendResult> {
  const [address, to] = [textOf(fields.from), textOf(fields.to)];
  const attachments = files
    .filter(({ content }) => content.length > 0)
    .map(({ name, type, content }) => ({ filename: name, contentType: type, content }));
  const mail = {
    from: { name: textOf(fields.name), address },
    to,
    ...(textOf(fields.cc) ? { cc: textOf(fields.cc) } : {}),
    subject: textOf(fields.subject),
    text: textOf(fields.text),
    messageId: idAt(address),
    attachments,
  };
  return await sendToService(providers, mail, { from: address, to: [to], isForged: fields.forged === '1' });
}

function shown({ id, accepted, answer }: SendResult): string {
  return withNotice(
    `/mail?mail=${id}`,
    accepted ? 'The service accepted the mail.' : `The service refused the mail: ${answer}`,
  );
}

/** Returns a page's URL with a notice to show once. */
export function withNotice(page: string, notice: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams({ notice })}`;
}
