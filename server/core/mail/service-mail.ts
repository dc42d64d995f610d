import { v7 as uuidv7 } from 'uuid';
import { sendMail } from '#server/core/mail/send-mail.ts';
import { serviceSender } from '#server/core/mail/service-sender.ts';

/** Sends a mail that the service itself writes to one person. Throws when it does not leave. */
export async function sendServiceMail(mail: {
  to: { name: string; address: string };
  subject: string;
  text: string;
}): Promise<void> {
  const from = serviceSender();
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  await sendMail({ ...mail, from, messageId: `<${uuidv7()}@${domain}>`, references: [], isAutomatic: true });
}
