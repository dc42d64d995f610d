import { z } from 'zod';
import { missing, ok } from '../../http/reply.ts';
import { bounce } from '../mail/bounce.ts';
import { MAIL_ANSWERS } from '../mail/mail-state.ts';
import { replyToMail } from '../mail/reply-to-mail.ts';
import { sendToService } from '../mail/send-to-service.ts';
import { idAt } from '../make-ids.ts';
import { changed } from '../providers.ts';
import { describeMail } from './describe.ts';
import { decode, file, type Route, withBody } from './route.ts';

const answerBody = z.object({ answer: z.enum(MAIL_ANSWERS), count: z.int().min(1).nullable().default(1) });
const writer = z.object({ name: z.string().default(''), address: z.email() });

const mailBody = z.object({
  from: writer,
  to: z.string(),
  subject: z.string().default(''),
  text: z.string().default(''),
  html: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  message_id: z.string().optional(),
  in_reply_to: z.string().optional(),
  references: z.string().optional(),
  files: z.array(file).default([]),
  /** Not signed, so that the sender cannot be verified. */
  forged: z.boolean().default(false),
  /** The raw mail, instead of all other fields except sender and recipient. */
  raw: z.string().optional(),
});
const replyBody = z.object({ from: writer.optional(), text: z.string() });

/** Routes for tests that read, send, answer and bounce mail. */
export const MAIL_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/control/mails',
    handle: ({ providers, query }) => {
      const [to, direction] = [query.get('to')?.toLowerCase(), query.get('direction')];
      const mails = providers.state.mail.mails
        .filter((mail) => (direction ?? mail.direction) === mail.direction)
        .filter((mail) => !to || mail.envelope.to.some((address) => address.toLowerCase() === to));
      return ok(mails.map(describeMail));
    },
  },
  {
    method: 'PUT',
    path: '/control/mail-answer',
    handle: withBody(answerBody, ({ providers }, { answer, count }) => {
      Object.assign(providers.state.mail, { answer, count: answer === 'accept' ? null : count });
      changed(providers);
      return ok({ answer, count });
    }),
  },
  {
    method: 'POST',
    path: '/control/mails',
    handle: withBody(mailBody, async ({ providers }, body) => {
      const envelope = { from: body.from.address, to: [body.to], isForged: body.forged };
      if (body.raw !== undefined) return ok(await sendToService(providers, { raw: body.raw }, envelope));
      const { from, to, subject, text, html, headers, message_id, in_reply_to, references } = body;
      const attachments = decode(body.files).map(({ name, type, content }) => ({
        filename: name,
        contentType: type,
        content,
      }));
      const mail = {
        from,
        to,
        subject,
        text,
        headers,
        attachments,
        messageId: message_id ?? idAt(from.address),
        ...(html ? { html } : {}),
        ...(in_reply_to ? { inReplyTo: in_reply_to } : {}),
        ...(references ? { references } : {}),
      };
      return ok(await sendToService(providers, mail, envelope));
    }),
  },
  {
    method: 'POST',
    path: '/control/mails/:mail/reply',
    handle: withBody(replyBody, async ({ providers, params }, { from, text }) => {
      const mail = providers.state.mail.mails.find(({ id }) => id === params.mail);
      if (!mail) return missing('mail');
      return ok(await replyToMail(providers, mail, text, from));
    }),
  },
  {
    method: 'POST',
    path: '/control/mails/:mail/bounce',
    handle: withBody(
      z.object({ reason: z.string().optional() }),
      async ({ providers, params }, { reason }) => {
        const mail = providers.state.mail.mails.find(({ id }) => id === params.mail);
        if (!mail) return missing('mail');
        return ok(
          (await bounce(providers, mail, reason)) ?? {
            accepted: false,
            answer: 'The mail has no envelope sender.',
          },
        );
      },
    ),
  },
];
