import { idAt } from '../id-at.ts';
import type { Providers } from '../providers.ts';
import type { Mail } from './mail-state.ts';
import { type SendResult, sendIn } from './send-in.ts';
import { type Writer, writeReply } from './write-reply.ts';

/** A contact answers a mail of the service, as the one whom it was sent to unless somebody else is named. */
export async function answerMail(
  providers: Providers,
  mail: Mail,
  text: string,
  as?: Writer,
): Promise<SendResult> {
  const address = mail.envelope.to[0] ?? '';
  const known = mail.email.to?.find((each) => each.address?.toLowerCase() === address.toLowerCase());
  const writer = as ?? { name: known?.name ?? '', address };
  const reply = writeReply(mail, writer, text);
  const written = { ...reply.mail, messageId: idAt(writer.address) };
  return await sendIn(providers, written, { from: writer.address, to: [reply.to] });
}
