import { type ProviderRequest, textOf } from '../../http/bodies.ts';
import { answerMail } from '../mail/answer-mail.ts';
import { bounce } from '../mail/bounce.ts';
import { type SendResult, sendIn } from '../mail/send-in.ts';
import { idAt } from '../make-ids.ts';
import type { Providers } from '../providers.ts';

/** Writes, answers or bounces a mail; answers the page to go to, or null when there is no such form or mail. */
export async function runMailForm(
  providers: Providers,
  id: string,
  what: string,
  request: ProviderRequest,
): Promise<string | null> {
  if (!id) return shown(await write(providers, request));
  const mail = providers.state.mail.mails.find((each) => each.id === id);
  if (!mail) return null;
  if (what === 'reply') return shown(await answerMail(providers, mail, textOf(request.fields.text)));
  if (what !== 'bounce') return null;
  const result = await bounce(providers, mail);
  return result ? shown(result) : noticed(`/mail?mail=${id}`, 'It has no sender to send a bounce to.');
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
  return await sendIn(providers, mail, { from: address, to: [to] });
}

function shown({ id, taken, answer }: SendResult): string {
  return noticed(
    `/mail?mail=${id}`,
    taken ? 'The service took it.' : `The service did not take it: ${answer}`,
  );
}

/** A page's address with a sentence to show there once. */
export function noticed(page: string, notice: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams({ notice })}`;
}
